/** One model reads documents: what a second one made of them goes. */
export const documentsReadOnce: readonly string[] = [
  "drop table document_paraphrases",
  "alter table documents drop column paraphrased_by",
];
