/** What a bucket said to one call. */
export interface TakenToken {
  readonly allowed: boolean;
  /** What is left of the bucket, in calls; fractions count towards the next one. */
  readonly left: number;
}

/** Budgets of calls that several servers draw from together. */
export interface SharedBuckets {
  /** Takes one call from the bucket of this name, which holds `capacity` of them and refills `rate` of them a second. */
  take(name: string, bucket: { readonly rate: number; readonly capacity: number }): Promise<TakenToken>;
  /** Throws when nothing answers. */
  ping(): Promise<void>;
  close(): void;
}
