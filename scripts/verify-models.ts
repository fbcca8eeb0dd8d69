import { checkModelFiles, listModels, modelFolder } from "../src/ai/models/files.ts";

// Usage: bun scripts/verify-models.ts: compares every model file with the bytes and SHA-256 of its manifest.

const models = listModels();
const problems = models.flatMap((id) => checkModelFiles(modelFolder(id), { digests: true }));
for (const problem of problems) console.error(problem);
if (models.length === 0) console.error("There is no model folder with a manifest.");
if (problems.length > 0 || models.length === 0) process.exit(1);
console.log(`${models.join(", ")}: every file is as its manifest records it.`);
