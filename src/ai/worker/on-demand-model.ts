import type { ServedModel } from "../models/embedding-model.ts";

/** A model that is loaded when it is asked for, and let go when nobody has asked for so long. */
export interface OnDemandModel {
  readonly isLoaded: boolean;
  /** Loads it if need be. One that could not be loaded fails from then on, without another try. */
  get(): Promise<ServedModel>;
}

export interface OnDemandModelOptions {
  readonly keepMs: number;
  /** Called back once it was let go. */
  gone(): void;
}

/** A model that is loaded when it is first asked and released after it was not asked for a while. */
export function onDemandModel(load: () => Promise<ServedModel>, { keepMs, gone }: OnDemandModelOptions): OnDemandModel {
  let loading: Promise<ServedModel> | null = null;
  let isLoaded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const letGo = async () => {
    const model = await loading;
    loading = null;
    isLoaded = false;
    await model?.release();
    gone();
  };
  return {
    get isLoaded() {
      return isLoaded;
    },
    async get() {
      loading ??= load();
      const model = await loading;
      isLoaded = true;
      clearTimeout(timer);
      timer = setTimeout(() => void letGo(), keepMs);
      timer.unref();
      return model;
    },
  };
}
