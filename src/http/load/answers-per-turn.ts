/** Refusals that one turn of the event loop gives to connections that go on. */
const REFUSALS_MAX = 64;
/** The same of answers of all kinds: more connections than that do not ask within one turn for long. */
const ANSWERS_MAX = 1_024;

/** Counts one answer; true where its connection is to end with it. */
export type EndsConnection = (status: number) => boolean;

/**
 * Requests that were sent in one go, without waiting for answers, are answered in one turn of the event loop, while all others
 * wait: the transport reads on as long as nothing is waited for. Beyond a number it is made to stop, by the end of the
 * connection; whoever sent them begins anew, behind those who waited.
 */
export function createAnswersPerTurn(): EndsConnection {
  let refusals = 0;
  let answers = 0;
  return (status) => {
    if (answers === 0)
      setImmediate(() => {
        refusals = 0;
        answers = 0;
      });
    answers++;
    if (status >= 400) refusals++;
    return refusals > REFUSALS_MAX || answers > ANSWERS_MAX;
  };
}
