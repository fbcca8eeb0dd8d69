import { describe, expect, test } from "bun:test";
import { joinSentences, splitSentences } from "../../../src/text/words/sentences.ts";

describe("a text is split", () => {
  test("into its sentences, in order", () => {
    expect(splitSentences("The deploy failed. Anna rolled it back! Was it the disk?")).toEqual([
      "The deploy failed.",
      "Anna rolled it back!",
      "Was it the disk?",
    ]);
  });

  test("at line breaks as well", () => {
    expect(splitSentences("First line of a list\n\nSecond line of a list")).toEqual([
      "First line of a list",
      "Second line of a list",
    ]);
  });

  test("but not inside numbers", () => {
    expect(splitSentences("Version 2.27.0 costs 3.50 euros a month.")).toHaveLength(1);
  });

  test("and short fragments join the sentence before", () => {
    expect(splitSentences("The release is on Tuesday. Really. Yes!")).toEqual([
      "The release is on Tuesday. Really. Yes!",
    ]);
  });

  test("without losing a word", () => {
    const text = "One. Two three four five! Six?\nSeven… eight nine ten eleven twelve.";
    const words = (value: string) => value.match(/[\p{L}\d]+/gu);
    expect(words(splitSentences(text).join(" "))).toEqual(words(text));
  });

  test("and nothing comes of nothing", () => {
    expect(splitSentences("")).toEqual([]);
    expect(splitSentences(" \n\n ")).toEqual([]);
    expect(splitSentences("Ok.")).toEqual(["Ok."]);
  });
});

describe("a text in another language is split at its own full stops", () => {
  test.each([
    [
      "Chinese",
      "发布时间改到周五。服务器在东京机房！数据库为什么变慢了？",
      ["发布时间改到周五。", "服务器在东京机房！", "数据库为什么变慢了？"],
    ],
    [
      "Japanese",
      "リリースは金曜日です。サーバーは東京にあります。",
      ["リリースは金曜日です。", "サーバーは東京にあります。"],
    ],
    ["Korean", "배포는 금요일입니다. 서버는 서울에 있습니다.", ["배포는 금요일입니다.", "서버는 서울에 있습니다."]],
    ["Hindi", "सर्वर दिल्ली में है। बैकअप हर रात चलता है।", ["सर्वर दिल्ली में है।", "बैकअप हर रात चलता है।"]],
    [
      "Arabic",
      "هل انتقل الخادم إلى دبي؟ نعم، انتقل يوم الجمعة.",
      ["هل انتقل الخادم إلى دبي؟", "نعم، انتقل يوم الجمعة."],
    ],
    ["Urdu", "سرور کراچی میں ہے۔ بیک اپ ہر رات چلتا ہے۔", ["سرور کراچی میں ہے۔", "بیک اپ ہر رات چلتا ہے۔"]],
    ["Armenian", "Սերվերը Երևանում է։ Պահուստը ամեն գիշեր է։", ["Սերվերը Երևանում է։", "Պահուստը ամեն գիշեր է։"]],
    [
      "Greek",
      "Πού είναι ο διακομιστής; Είναι στην Αθήνα τώρα.",
      ["Πού είναι ο διακομιστής;", "Είναι στην Αθήνα τώρα."],
    ],
    ["Burmese", "ဆာဗာသည် ရန်ကုန်တွင်ရှိသည်။ အရန်သိမ်းခြင်းကို ညတိုင်းလုပ်သည်။", ["ဆာဗာသည် ရန်ကုန်တွင်ရှိသည်။", "အရန်သိမ်းခြင်းကို ညတိုင်းလုပ်သည်။"]],
    ["Amharic", "አገልጋዩ አዲስ አበባ ውስጥ ነው። ምትኬ በየምሽቱ ይሠራል።", ["አገልጋዩ አዲስ አበባ ውስጥ ነው።", "ምትኬ በየምሽቱ ይሠራል።"]],
    [
      "Thai",
      "เราย้ายเซิร์ฟเวอร์ไปโตเกียวแล้ว ทีมงานจะปล่อยรุ่นใหม่วันศุกร์หน้า",
      ["เราย้ายเซิร์ฟเวอร์ไปโตเกียวแล้ว", "ทีมงานจะปล่อยรุ่นใหม่วันศุกร์หน้า"],
    ],
  ])("%s", (_, text, expected) => {
    expect(splitSentences(text)).toEqual(expected);
  });

  test.each([
    ["German", "Am 3. Mai war Dr. Müller z. B. in Berlin und hat die Anlage geprüft. Danach war alles gut."],
    ["French", "Selon Mme. Durand la sauvegarde est faite, cf. Annexe deux du contrat. Elle est dans le coffre."],
    ["Spanish", "La Sra. García vive en la avda. Diagonal de Barcelona con su familia. Trabaja desde casa."],
    ["Russian", "Сервер был куплен в 2024 г. Москва платит за него до конца года. Потом платит Казань."],
    ["Polish", "To jest np. Kraków albo inż. Nowak z zespołu wdrożeń w firmie. Potem jest Gdańsk."],
  ])("and in %s not behind what is only short for a word, or at a number in order", (_, text) => {
    expect(splitSentences(text)).toHaveLength(2);
  });

  test("fragments join without a space where there is none", () => {
    expect(splitSentences("发布时间改到周五。是的。")).toEqual(["发布时间改到周五。是的。"]);
    expect(joinSentences(["发布时间改到周五。", "服务器在东京。", "It runs.", "好。"])).toBe(
      "发布时间改到周五。服务器在东京。 It runs. 好。",
    );
  });
});
