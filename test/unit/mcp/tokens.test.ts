import { expect, test } from "bun:test";
import { cutTo, tokensOf } from "../../../src/mcp/tokens.ts";

test.each(["👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "o\u0308\u0323", "नि", "한".normalize("NFD")])(
  "a text is cut to tokens between characters: %s",
  (character) => {
    const text = character.repeat(30);
    for (let tokens = 20; tokens < 40; tokens++) {
      const kept = cutTo(text, tokens).replace(/…$/, "");
      expect(kept).toBe(character.repeat(kept.length / character.length));
      expect(tokensOf(kept)).toBeLessThanOrEqual(tokens);
    }
  },
);
