/** What a signal is, for people. */
interface SignalWords {
  readonly name: string;
  readonly about: string;
}

/** The signals by the names that a diagnostic has for them. */
const SIGNALS: Readonly<Record<string, SignalWords>> = {
  meaning: { name: "Meaning", about: "how near its meaning is to that of the question" },
  context: { name: "With the turn before", about: "how much nearer it is when read with the turn of talk before it" },
  words: { name: "Words of the question", about: "the words that both hold, rare ones more" },
  share: { name: "Share of the question", about: "how much of the question it holds" },
  covered: { name: "Nearly all of the question", about: "that it holds nearly every word of the question" },
  sole: { name: "Alone with the rarest word", about: "that no other memory holds the rarest name or code" },
  names: { name: "Names and codes", about: "names and codes that both hold" },
  nearby: { name: "Words beside it", about: "words of the question in the turns beside it" },
  entity: { name: "Who or what is named", about: "people, places and things that both name" },
  related: { name: "Related to what is named", about: "that it names something related to what the question names" },
  speaker: { name: "Who says it", about: "that somebody whom the question names says it" },
  asks: { name: "Is itself a question", about: "a question rarely answers another one" },
  timed: { name: "Speaks of a time", about: "counts when the question asks when" },
  person: { name: "Names somebody", about: "counts when the question asks who" },
  reason: { name: "Gives a reason", about: "counts when the question asks why" },
  figure: { name: "Gives a figure", about: "counts when the question asks how many" },
  date: { name: "Of the time asked for", about: "how well its time fits the one that the question names" },
  fresh: { name: "Freshness", about: "how recent it is for its type" },
  recent: { name: "Among the newest", about: "counts when the question asks for the latest" },
  conflicted: { name: "In an open conflict", about: "another memory says otherwise" },
  overtaken: { name: "Was overtaken", about: "a newer memory took its place" },
  length: { name: "Length", about: "how long its text is" },
  run_pull: { name: "Best of its run", about: "it is drawn up by the best memory of the same run" },
  overtaken_loss: {
    name: "Another says the same",
    about: "one of another time says the same of the same, and goes first",
  },
  entity_boost: { name: "Speaker and entities", about: "sum of who says it, who is named and what is related" },
  temporal_boost: { name: "Time", about: "sum of speaking of a time and of the time asked for" },
  status_penalty: { name: "Status", about: "sum of an open conflict and of being overtaken" },
  recall_boost: { name: "Recalls", about: "always nothing: being found makes nothing easier to find" },
  vec_sim: { name: "Similarity", about: "cosine of its vector and that of the question" },
  fts_score: { name: "Words found", about: "share of the question's word weight that it holds" },
  freshness: { name: "Freshness", about: "1 for new, 0 past the decay of its type" },
};

/** What a signal is called and means; one that is unknown here by its own name. */
export const signalWords = (signal: string): SignalWords => SIGNALS[signal] ?? { name: signal, about: "" };
