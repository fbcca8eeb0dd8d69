import { test } from "bun:test";
import { isBinary } from "../support/app.ts";

// Two hundred processes take a while: they are those of the executable, which is what people run.
if (isBinary) await import("./projects/cells.ts");
else test.skip("every door, in every place, holds to the rule of projects: of the executable alone", () => {});
