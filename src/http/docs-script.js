// Runs in the page at /api/docs, between Swagger UI's own script and the one that starts it. It lets the examples be executed
// one after the other: where one has an id that only the server can give, that of what was last written here is sent. And it
// shows Cairn's release beside the version of its interface.
(() => {
  const MEMORY = "00000000-0000-4000-8000-000000000001";
  const ENTITY = "00000000-0000-4000-8000-000000000002";
  const OTHER_ENTITY = "00000000-0000-4000-8000-000000000003";
  const KEY = "00000000-0000-4000-8000-000000000004";
  const given = new Map();

  /** What replies tell of ids, by the end of their address. */
  const TOLD = [
    [/\/memories$/, ({ id, error }) => [[MEMORY, id ?? error?.details?.existing_id]]],
    [/\/memories\/bulk$/, ({ results }) => [[MEMORY, results?.[0]?.id ?? results?.[0]?.duplicate_of]]],
    [/\/entities\/upsert$/, ({ id }) => [[ENTITY, id]]],
    [
      /\/entities$/,
      (found) => [
        [OTHER_ENTITY, Array.isArray(found) ? found.find(({ id }) => id !== given.get(ENTITY))?.id : undefined],
      ],
    ],
    [/\/keys$/, ({ id }) => [[KEY, id]]],
  ];

  const filled = (text) => [...given].reduce((sent, [example, id]) => sent.replaceAll(example, id), text);

  const requestInterceptor = (request) => {
    if (!given.has(OTHER_ENTITY) && given.has(ENTITY)) given.set(OTHER_ENTITY, given.get(ENTITY));
    request.url = filled(request.url);
    if (typeof request.body === "string") request.body = filled(request.body);
    return request;
  };

  const responseInterceptor = (response) => {
    const [path] = response.url.split("?");
    const told = TOLD.find(([address]) => address.test(path))?.[1];
    const body = response.body ?? response.obj;
    if (!told || typeof body !== "object" || body === null) return response;
    for (const [example, id] of told(body)) if (typeof id === "string") given.set(example, id);
    return response;
  };

  const release = document.querySelector('meta[name="cairn-release"]')?.content;
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
