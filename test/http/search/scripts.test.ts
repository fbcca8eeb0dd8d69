import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

// The models themselves: what they make of letters that they never read is what a word must prevail against.
const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const api = memoriesApi(app.client);

const HANG_GUARD_MS = 180_000;

/** Rows that are near to anything a model cannot read, and some of a working life. */
const OTHERS = [
  "🚀🚀🚀 🔥🔥🔥 ✅✅✅",
  "👏👏👏 💯 👏👏👏 💯",
  "ทีมงานส่งรายงานทุกวันจันทร์เวลาเก้าโมงเช้า",
  "。。。！！！？？？……",
  "٠٠٠ ١١١ ٢٢٢",
  "¯\\_(ツ)_/¯ ¯\\_(ツ)_/¯",
  "Ask Ines before anything is rolled out on a Friday.",
  "The backup of the archive runs at three in the morning.",
  "Готовим отчёт к пятнице.",
];

interface Case {
  readonly name: string;
  readonly row: string;
  readonly asked: string;
  /** Why the row is not the first today. */
  readonly fails?: string;
}

const CASES: readonly Case[] = [
  { name: "Chinese between emoji", row: "🚀 周五发布新版本 🎉🎉", asked: "发布" },
  { name: "Chinese asked with an emoji", row: "✅ 数据库迁移已完成 🚀", asked: "迁移 🚀🚀" },
  {
    name: "Chinese among the emoji of another row",
    row: "今天晚上请不要重启服务器",
    asked: "🚀🚀🚀 重启 🔥🔥🔥 ✅✅✅",
  },
  { name: "Chinese and emoji that are in two rows", row: "发版时间改到下午 🔥", asked: "🚀🚀🚀 发版" },
  { name: "a sentence about a Chinese word", row: "下一次「灰度」从周三开始", asked: "when does the 灰度 begin? 🚀" },
  { name: "Thai beside Chinese: the Chinese word", row: "ประชุม会议 ตอนบ่ายสาม", asked: "会议" },
  { name: "Thai beside Chinese: the Thai word", row: "ขอ เลื่อนนัด 改期 เป็นวันศุกร์", asked: "เลื่อนนัด" },
  { name: "Cherokee", row: "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ᎠᏂᏁᎬ", asked: "ᎦᏬᏂᎯᏍᏗ" },
  { name: "Tifinagh", row: "ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ ⵜⴰⵎⴰⵣⵉⵖⵜ", asked: "ⵜⴰⵎⴰⵣⵉⵖⵜ" },
  { name: "Glagolitic, asked in small letters", row: "ⰃⰎⰀⰃⰑⰎⰉⰜⰀ ⰍⰐⰉⰃⰀ ⰂⰉⰎⰀ", asked: "ⰽⱀⰹⰳⰰ" },
  { name: "Gothic", row: "𐌰𐍄𐍄𐌰 𐌿𐌽𐍃𐌰𐍂 𐌸𐌿 𐌹𐌽 𐌷𐌹𐌼𐌹𐌽𐌰𐌼", asked: "𐌷𐌹𐌼𐌹𐌽𐌰𐌼" },
  { name: "runes", row: "ᚠᚢᚦᚨᚱᚲ ᛊᛏᛖᛁᚾ ᚺᚨᛚᛚᛖ", asked: "ᛊᛏᛖᛁᚾ" },
  { name: "Deseret", row: "𐐔𐐯𐑅𐐨𐑉𐐯𐐻 𐐊𐑊𐑁𐐲𐐺𐐯𐐻", asked: "𐐔𐐯𐑅𐐨𐑉𐐯𐐻" },
  { name: "cuneiform", row: "𒈗𒂗 𒆠𒇳 𒀭𒌓 𒂍𒃲 𒈨", asked: "𒆠𒇳" },
  { name: "Ethiopic", row: "የስብሰባ ሰዓት ተቀይሯል", asked: "ሰዓት" },
  { name: "Georgian", row: "შეხვედრა გადაიდო ხუთშაბათს", asked: "ხუთშაბათს" },
  { name: "N'Ko", row: "ߒߞߏ ߞߊ߲ ߓߟߏߡߊ", asked: "ߓߟߏߡߊ" },
  { name: "Khmer without spaces", row: "កិច្ចប្រជុំបានលើកទៅថ្ងៃស្អែក", asked: "ថ្ងៃស្អែក" },
  { name: "Hebrew beside Latin", row: "הפריסה של Kubernetes נכשלה אמש", asked: "נכשלה" },
  { name: "an ideograph beyond the first plane", row: "𠮷野家で火曜日に会食する", asked: "𠮷野家" },
  { name: "Hangul written in parts", row: "배포는 목요일에 한다".normalize("NFD"), asked: "목요일에" },
  { name: "emoji alone", row: "🦔🍄🦔🍄🍄🌲🌲🦔🌲🍄", asked: "🦔" },
  { name: "a flag", row: "🇱🇺 Ausweis liegt bei Ada", asked: "🇱🇺" },
  {
    name: "an emoji of several",
    row: "👩‍🚀 ist ab Mai in der Mannschaft",
    asked: "👩‍🚀",
  },
  { name: "an emoji in another skin tone", row: "👋🏿 von Noor an alle", asked: "👋" },
  { name: "decorated letters, asked plainly", row: "𝓯𝓪𝓷𝓬𝔂 invitations are with the printer", asked: "fancy" },
  { name: "decorated letters, asked decorated", row: "fraktur 𝔴𝔞𝔣𝔣𝔩𝔢 iron, second shelf", asked: "𝔴𝔞𝔣𝔣𝔩𝔢" },
  { name: "circled letters", row: "ⓚⓔⓣⓣⓛⓔ is broken", asked: "kettle" },
  { name: "half-width kana", row: "ｻｰﾊﾞｰを再起動した", asked: "サーバー" },
  { name: "full-width letters", row: "ＧＲＡＦＡＮＡ　ｂｏａｒｄ", asked: "grafana" },
  { name: "full-width figures", row: "ポートは８４４３です", asked: "8443" },
  { name: "letters under heaps of marks", row: "z̴̧̛a̷͝͠l̶͠͝g̵̛͝o̴͘͠ comes on Tuesday", asked: "zalgo" },
  { name: "a word with something unseen within", row: "data\u200bbase snapsh\u00adots are weekly", asked: "snapshots" },
];

beforeAll(async () => {
  const rows = [...OTHERS, ...CASES.map(({ row }) => row)];
  const { created } = await api.bulk(rows.map((content) => ({ content, memory_type: "episode" })));
  expect(created).toBe(rows.length);
  await app.settle();
}, HANG_GUARD_MS);

describe("the row that holds what is asked for is first:", () => {
  for (const { name, row, asked, fails } of CASES)
    (fails === undefined ? test : test.todo)(fails === undefined ? name : `${name} (${fails})`, async () => {
      const { items } = await api.search(asked, { top_k: 5 });
      expect(items[0]?.content).toBe(row);
    });
});
