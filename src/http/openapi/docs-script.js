// Runs in the page at /api/docs, between Swagger UI's own script and the one that starts it. It lets the examples be executed
// one after the other: where one has an id that only the server can give, that of what was last written here is sent. And it
// shows Cairn's release beside the version of its interface.
(() => {
  /** What the page tells this script. */
  const told = (name) => document.querySelector(`meta[name="cairn-${name}"]`).content;
  const example = JSON.parse(told("example-ids"));
  /** The ids that are sent in place of those of the examples. */
  const given = new Map();

  /** What replies tell of ids, by the end of their address. */
  const IDS_IN_REPLIES = [
    [/\/memories$/, ({ id, error }) => [example.memory, id ?? error?.details?.existing_id]],
    [/\/memories\/[^/]+\/texts$/, ({ items }) => [example.text, items?.[0]?.id]],
    [/\/memories\/bulk$/, ({ results }) => [example.memory, results?.[0]?.id ?? results?.[0]?.duplicate_of]],
    [/\/entities\/upsert$/, ({ id }) => [example.entity, id]],
    [/\/entities$/, (found) => [example.other_entity, otherThan(given.get(example.entity), found)]],
    [/\/keys$/, ({ id }) => [example.key, id]],
  ];
  const otherThan = (known, found) => (Array.isArray(found) ? found.find(({ id }) => id !== known)?.id : undefined);

  const filled = (text) => [...given].reduce((sent, [placeholder, id]) => sent.replaceAll(placeholder, id), text);

  const requestInterceptor = (request) => {
    const { entity, other_entity } = example;
    if (!given.has(other_entity) && given.has(entity)) given.set(other_entity, given.get(entity));
    request.url = filled(request.url);
    // The key is for this server alone.
    request.redirect = "error";
    if (typeof request.body === "string") request.body = filled(request.body);
    return request;
  };

  const responseInterceptor = (response) => {
    const [path] = response.url.split("?");
    const read = IDS_IN_REPLIES.find(([address]) => address.test(path))?.[1];
    const body = response.body ?? response.obj;
    if (!read || typeof body !== "object" || body === null) return response;
    const [placeholder, id] = read(body);
    if (typeof id === "string") given.set(placeholder, id);
    return response;
  };

  const release = told("release");
  const ReleasePlugin = () => ({
    wrapComponents: {
      VersionStamp:
        (Stamp, { React }) =>
        ({ version }) =>
          React.createElement(Stamp, { version: `release ${release}, interface ${version}` }),
    },
  });

  const start = window.SwaggerUIBundle;
  window.SwaggerUIBundle = (options) =>
    start({ ...options, requestInterceptor, responseInterceptor, plugins: [ReleasePlugin] });
})();
