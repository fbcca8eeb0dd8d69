// What is tested: an agent that keeps what it is told, and answers from it.

/** @param {string} url @param {string} path @param {object} body @returns {Promise<any>} */
async function post(url, path, body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    redirect: "error",
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** @param {string} url @param {string} question */
const bestFor = async (url, question) => (await post(url, "/search", { query: question, top_k: 1 })).items[0];

/** Answers with the statement that fits best. @param {string} url @param {string} question @returns {Promise<string>} */
export const ask = async (url, question) => (await bestFor(url, question))?.content ?? "I do not know.";

/** Keeps a statement. @param {string} url @param {string} statement */
export const tell = (url, statement) => post(url, "/memories", { content: statement });

/** Keeps another answer to a question than it had. @param {string} url @param {string} question @param {string} statement */
export async function correct(url, question, statement) {
  const { id } = await bestFor(url, question);
  await post(url, `/memories/${id}/correct`, { content: statement });
}
