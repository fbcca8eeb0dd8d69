const WORDS: Readonly<Record<string, string>> = {
  embed_memories: "Memories, to be found by their meaning",
  embed_documents: "Documents, to be found by their meaning",
  understand_memories: "Names in memories, and what they contradict",
  compare_stated: "What callers stated, compared with other memories",
  promote_skills: "Candidates of skills, promoted",
  review_skills: "Skills, reviewed anew",
  wipe_traces: "Traces of what was erased, taken out of the file",
  reread_rows: "Rows that another model has read, to be found by their meaning",
  rejudge_memories: "What an earlier version found to be over, judged anew",
  reword_rows: "Rows of an older version, to be found by the words of their languages",
  forge_tick: "A run of the Forge",
};

/** What a kind of job does, in words; null for one that this page does not know. */
export const kindWords = (kind: string): string | null => WORDS[kind] ?? null;
