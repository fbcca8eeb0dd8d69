import { expect, test } from "bun:test";
import { inspectClock, inspectNewest, inspectSkew } from "../../../../src/cli/doctor/clock.ts";

const NOW = Date.parse("2027-03-01T12:00:00.000Z");

test("a time before this program was made is a fault", () => {
  expect(inspectClock(Date.parse("2020-01-01T00:00:00Z"))).toMatchObject({ state: "fault" });
  expect(inspectClock(NOW).state).toBe("well");
});

test("an entry that has yet to come is a fault, one of just now is not", () => {
  expect(inspectNewest(NOW, "2027-03-01T13:00:00.000Z").state).toBe("fault");
  expect(inspectNewest(NOW, "2027-03-01T12:00:30.000Z").state).toBe("well");
  expect(inspectNewest(NOW, null).state).toBe("well");
});

test("a server whose clock is minutes apart is a fault, however long the answer took", () => {
  const between = [NOW, NOW + 90_000] as const;
  expect(inspectSkew("2027-03-01T12:01:00.000Z", between).state).toBe("well");
  for (const dated of ["2027-03-01T11:50:00.000Z", "2027-03-01T12:10:00.000Z"]) {
    expect(inspectSkew(dated, between)).toMatchObject({ state: "fault" });
  }
});
