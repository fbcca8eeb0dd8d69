import { describe, expect, test } from "bun:test";
import { clusterWords } from "../../../src/memories/pictures/cluster-words.ts";
import { kMeans } from "../../../src/memories/pictures/k-means.ts";
import { principalAxes } from "../../../src/memories/pictures/principal-axes.ts";

const at = (...values: number[]) => Float32Array.from(values);
/** Points around a middle, nearer to each other than to any other. */
const around = (middle: Float32Array) => [-0.02, 0, 0.01].map((off) => middle.map((value, i) => value + off * (i + 1)));
const CORNERS = [at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)];

describe("clusters", () => {
  test("are those that the points lie in, whatever their order", async () => {
    const points = CORNERS.flatMap(around);
    const mixed = points.map((_, i) => points[(i * 4) % points.length] ?? at());
    for (const some of [points, mixed]) {
      const clusters = await kMeans(some, 3);
      const found = clusters.map(
        ({ members }) => new Set(members.map((i) => some[i]?.indexOf(Math.max(...(some[i] ?? []))))),
      );
      expect([clusters.map(({ members }) => members.length), found.map(({ size }) => size)]).toEqual([
        [3, 3, 3],
        [1, 1, 1],
      ]);
    }
  });

  test("are no more than there are different points, and none of no points", async () => {
    expect((await kMeans([at(1, 0), at(1, 0), at(1, 0)], 2)).map(({ members }) => members)).toEqual([[0, 1, 2]]);
    expect(await kMeans([], 2)).toEqual([]);
  });
});

describe("axes", () => {
  test("are where the points vary most, at a right angle", async () => {
    const points = [at(3, 0, 0), at(-3, 0, 0), at(0, 1, 0), at(0, -1, 0)].map((center) => ({ center, weight: 2 }));
    const [first, second] = await principalAxes(points, []);
    expect([[...first].map(Math.abs), [...second].map(Math.abs)]).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ]);
  });

  test("come from more points where two are all there are, and are none where nothing varies", async () => {
    const two = [at(1, 0, 0), at(-1, 0, 0)].map((center) => ({ center, weight: 1 }));
    const [, second] = await principalAxes(two, [at(1, 0, 0.5), at(-1, 0, -0.5)]);
    expect([...second].map(Math.abs)).toEqual([0, 0, 1]);
    expect((await principalAxes(two.slice(1), [at(-1, 0, 0)])).map((axis) => [...axis])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });
});

describe("words of clusters", () => {
  test("are common in one and rare in the others, as most often written, without stop words and numbers", async () => {
    const clusters = [
      ["The deploys of Harbor ran at 12.", "Each deploy of Harbor is logged.", "A deploy is on Friday."],
      ["The quokka is fed at 12.", "A quokka is no wombat.", "Each wombat sleeps until Friday."],
    ];
    expect(await clusterWords(clusters, 2)).toEqual([
      ["deploy", "Harbor"],
      ["quokka", "wombat"],
    ]);
  });

  test("are stop words of no other language, and in a script without spaces whole where their pieces go together", async () => {
    const clusters = [
      ["Die Datenbank ist auf dem Server und nicht im Netz.", "Wir haben die Datenbank nicht gesichert."],
      ["数据库已经备份", "数据库很慢"],
    ];
    expect(await clusterWords(clusters, 4)).toEqual([["Datenbank"], ["数据库"]]);
  });
});
