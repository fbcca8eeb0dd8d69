/** What stands behind the mark that ends a sentence and belongs to it: brackets and quotation marks. */
export const CLOSERS = "」』）】〉》”’";

/** Question marks of the scripts that have their own; the Greek one looks like a semicolon. */
export const QUESTION_MARKS = "?？؟՞፧";
