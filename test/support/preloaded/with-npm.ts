// Loaded before every test: tests that npm runs end when npm does, whatever ended it, and so do their servers.
const POLL_MS = 250;

const npm = process.ppid;
if (process.env.npm_lifecycle_event === "test")
  setInterval(() => {
    if (process.ppid !== npm) process.exit(1);
  }, POLL_MS).unref();
