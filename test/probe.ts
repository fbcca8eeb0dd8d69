import { openApp } from "/work/main/test/support/in-process.ts";
const { app } = await openApp();
const t = performance.now();
const r = await Promise.race([app.handle(new Request("http://localhost/api/docs")), Bun.sleep(8000)]);
console.log(r, performance.now() - t);
await app.stop();
