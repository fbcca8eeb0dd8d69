"""Texts that try a tokenizer: sentences of many languages, and what chance makes of them, of pieces and of characters."""
import random

SENTENCES = [
    "All human beings are born free and equal in dignity and rights.",
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren; die Straßenbahn fährt um 8:15 Uhr.",
    "Todos los seres humanos nacen libres e iguales en dignidad y derechos. ¿Qué pasó mañana?",
    "Tous les êtres humains naissent libres et égaux ; l’œuvre coûte 12 €.",
    "Todos os seres humanos nascem livres e iguais em dignidade e em direitos; não há exceção.",
    "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Perché no?",
    "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren: ’s avonds ook.",
    "Alla människor är födda fria och lika i värde och rättigheter på Öland.",
    "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter.",
    "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan.",
    "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw: zażółć gęślą jaźń.",
    "Všichni lidé rodí se svobodní a sobě rovní; příliš žluťoučký kůň úpěl ďábelské ódy.",
    "Minden emberi lény szabadon születik és egyenlő méltósága és joga van; árvíztűrő tükörfúrógép.",
    "Toate ființele umane se nasc libere și egale în demnitate și în drepturi.",
    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar; İstanbul’da ılık.",
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.",
    "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama.",
    "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa.",
    "Все люди рождаются свободными и равными в своём достоинстве и правах; ёлка, йод.",
    "Всі люди народжуються вільними і рівними у своїй гідності та правах; ґанок, їжак, є.",
    "Всички хора се раждат свободни и равни по достойнство и права.",
    "Сва људска бића рађају се слободна и једнака у достојанству и правима.",
    "Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді.",
    "Бүх хүн төрж мэндлэхдээ эрх чөлөөтэй, адилхан нэр төртэй байдаг.",
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "Բոլոր մարդիկ ծնվում են ազատ ու հավասար՝ իրենց արժանապատվությամբ և իրավունքներով։",
    "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.",
    "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. שָׁלוֹם עֲלֵיכֶם",
    "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق، والعدد ١٢٣٤٥؟ ﷺ",
    "تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند.",
    "تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔",
    "ھەموو مرۆڤەکان بە ئازادی و یەکسانی لە کەرامەت و مافدا لە دایک دەبن.",
    "سب انسان ڄمندي ئي آزاد ۽ عزت ۽ حقن جي حوالي سان برابر آهن.",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। क़लम ज़रूर",
    "सर्व मानवी व्यक्ति जन्मतः स्वतंत्र आहेत व त्यांना समान प्रतिष्ठा व समान अधिकार आहेत.",
    "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।",
    "ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ, ਸ਼ਾਨ ਅਤੇ ਹੱਕਾਂ ਦੇ ਪੱਖੋਂ ਜਨਮ ਤੋਂ ਹੀ ਆਜ਼ਾਦ ਹੈ।",
    "પ્રતિષ્ઠા અને અધિકારોની દૃષ્ટિએ સર્વ માનવો જન્મથી સ્વતંત્ર અને સમાન હોય છે.",
    "ସମସ୍ତ ମନୁଷ୍ୟ ଜନ୍ମକାଳରୁ ସ୍ୱାଧୀନ ଏବଂ ମର୍ଯ୍ୟାଦା ଓ ଅଧିକାରରେ ସମାନ।",
    "மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; மதிப்பிலும் உரிமைகளிலும் சமமானவர்கள்.",
    "ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును నగుదురు.",
    "ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಜನಿಸಿದ್ದಾರೆ ಹಾಗೂ ಘನತೆ ಮತ್ತು ಹಕ್ಕುಗಳಲ್ಲಿ ಸಮಾನರಾಗಿದ್ದಾರೆ.",
    "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചവരാണ്.",
    "සියලු මනුෂ්‍යයෝ නිදහස්ව උපත ලබා ඇත. ගරුත්වයෙන් හා අයිතිවාසිකම්වලින් සමාන වෙති.",
    "มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ น้ำทำ",
    "ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ ສິດທິ ເສລີພາບ ແລະ ຄວາມສະເໝີພາບເທົ່າທຽມກັນ.",
    "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း မွေးဖွားလာသူများ ဖြစ်သည်။",
    "មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងភាពស្មើៗគ្នាក្នុងសិទ្ធិនិងសេចក្ដីថ្លៃថ្នូរ។",
    "འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང་ཐོབ་ཐངགི་རང་དབང་འདྲ་མཉམ་དུ་ཡོད་ལ།",
    "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,版本号2.3.4已发布。",
    "人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心,資料庫的連接埠是5432。",
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。㌔㍍ ﾃﾞｰﾀﾍﾞｰｽ",
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 한글 자모",
    "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።",
    "ᏂᎦᏓ ᎠᏂᏴᏫ ᏂᎨᎫᏓᎸᎾ ᎠᎴ ᎤᏂᏠᏱ ᎤᎾᏕᎿ ᏚᏳᎧᏛ ᎨᏒᎢ.",
    "ⵉⵎⴷⴰⵏⵏ, ⴰⴽⴽⵯ ⵎⴰ ⴳⴰⵏ ⴰⵔⵏ ⴷ ⵉⵍⵍⵍⵉⵏ, ⵎⵇⵇⴰⴷⴷⴰⵏ ⵖ ⵡⴰⴷⴷⵓⵔ",
    "ᐃᓅᔪᓕᒫᑦ ᐊᓂᖅᑎᕆᔪᓕᒫᑦ ᐃᓅᓕᕋᒥᒃ ᐃᓱᒪᕐᓱᕐᓂᖃᕐᑎᑕᐅᓪᓗᑎᒃ",
    "ހުރިހާ އިންސާނުންވެސް އުފަންވަނީ މިނިވަންކަން ލިބިގެން",
    "ܟܠ ܒܪܢܫܐ ܒܪܝܠܗ ܚܐܪܐ ܘܒܪܒܪ ܓܘ ܐܝܩܪܐ",
    "ᠬᠦᠮᠦᠨ ᠪᠦᠷ ᠲᠥᠷᠥᠵᠦ ᠮᠡᠨᠳᠡᠯᠡᠬᠦ ᠡᠷᠬᠡ ᠴᠢᠯᠥᠭᠡ ᠲᠡᠢ",
    "ꆏꊂꃅꄿꐨꐥ,ꌅꅍꀂꏽꐯꒈꃅꐥꌐ",
    "𐌰𐌻𐌻𐌰𐌹 𐌼𐌰𐌽𐌽𐌰 𐍆𐍂𐌴𐌹𐌷𐌰𐌻𐍃 ⰲⱐⱄⰻ ⰾⱓⰴⰻⰵ 𝓯𝓪𝓷𝓬𝔂 𝔱𝔢𝔵𝔱 𝟙𝟚𝟛",
    "🚀🚀🚀 🔥 ✅ 👩‍👩‍👧‍👦 👍🏽 🇩🇪🇯🇵 ❤️ ☃ 1️⃣ 発布 🧑🏿‍🚒 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "Z̷̢̛͈͓͇a̸̡͔̦͛l̵̨̞̊g̶̪͗o̵ e\u0301 é A\u030a Å ﬁ ﬂ ½ ⅷ ℡ ™ ² ﹏ ﹖ Ｆｕｌｌ　Ｗｉｄｔｈ １２３ ｶﾞ",
    "\u202eright to left\u202c \u2066isolate\u2069 \u200f\u200e \ufeffmark \u00adsoft\u200bzero\u2060word\u200cjoin\u200d",
    "const total = items.filter((x) => x.price >= 10).map(x => `${x.id}:${x.price}`).join(\"\\n\"); // TODO <s> </s> <unk> <pad> <mask>",
    "https://example.org/a/b?c=d&e=%F0%9F%9A%80#top user+tag@mail.example 192.168.0.1 2026-11-30T07:00:00Z v1.2.3-rc.4 SELECT * FROM t;",
    "\x00\x01\x07\x08\x0b\x0c\x1b[31mred\x1b[0m\x7f\x80\x85\x9f tab\there\r\nline\u2028sep\u2029par\xa0nbsp\u3000wide\u1680ogham",
    "\ud83dhalf \ude00other \ud83d\ude00whole \udc00\ud800swapped",
    "▁ ▁▁ a▁b ▁a▁ x▁▁y _ __ ﹍ <unk><unk> <unk>☃ ☃<unk>☃ ☃▁☃ ☃ ☃☃☃☃",
]

# First and last characters of what the generated texts draw from: scripts, signs, pictures, what has no place in texts.
RANGES = """0020-007e 00a0-00ff 0100-024f 0250-02af 02b0-02ff 0300-036f 0370-03ff 0400-052f 0531-058f 0591-05f4 0600-06ff 0700-074f 0750-077f
0780-07b1 07c0-07fa 0800-083e 0840-085e 08a0-08ff 0900-097f 0980-09fe 0a01-0a76 0a81-0aff 0b01-0b77 0b82-0bfa 0c00-0c7f 0c80-0cf2 0d00-0d7f 0d81-0df4
0e01-0e5b 0e81-0edf 0f00-0fda 1000-109f 10a0-10ff 1100-11ff 1200-137c 13a0-13fd 1400-167f 1681-169c 16a0-16f8 1700-1734 1780-17f9 1800-18aa 1900-194f
1950-1974 1980-19df 1a00-1a1f 1a20-1aad 1b00-1b7c 1b80-1bbf 1c00-1c4f 1c50-1c7f 1c90-1cbf 1cd0-1cfa 1d00-1dbf 1dc0-1dff 1e00-1eff 1f00-1fff 2000-206f
2070-209c 20a0-20bf 20d0-20f0 2100-218b 2190-23ff 2400-244a 2460-24ff 2500-27bf 2800-28ff 2900-2bff 2c00-2c5f 2c80-2cff 2d00-2d2d 2d30-2d7f 2de0-2dff
2e00-2e4f 2e80-2fd5 2ff0-2ffb 3000-303f 3041-30ff 3105-312f 3131-318e 3190-31ba 3200-33ff 3400-4dbf 4e00-9fff a000-a4c6 a4d0-a62b a640-a69f a720-a7bf
a800-a82b a840-a877 a880-a8d9 a8e0-a8ff a900-a95f a960-a97c a980-a9df aa00-aa5f aa80-aadf ab00-ab6f abc0-abf9 ac00-d7a3 d7b0-d7fb d800-dfff e000-f8ff
f900-faff fb00-fb4f fb50-fdff fe00-fe6f fe70-feff ff00-ffef fff0-ffff 0000-001f 007f-009f 10000-1005d 10300-1034a 10330-1034a 10400-1049d 10800-1085f
10900-1091b 10a00-10a58 11000-1106f 11080-110c1 12000-12399 13000-1342e 16800-16a38 1b000-1b11e 1d000-1d1e8 1d400-1d7ff 1e900-1e95f 1ee00-1eef1
1f000-1f0f5 1f100-1f1ff 1f200-1f265 1f300-1f5ff 1f600-1f64f 1f680-1f6ec 1f900-1f9ff 20000-2a6d6 2f800-2fa1d e0001-e007f e0100-e01ef f0000-f00ff"""
BLOCKS = [tuple(int(end, 16) for end in block.split("-")) for block in RANGES.split()]
SPACES = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\u200b\ufeff\u180e▁"


class Texts:
    def __init__(self, pieces, seed):
        self.pieces, self.random = pieces, random.Random(seed)

    def characters(self, block, count):
        return "".join(chr(self.random.randint(*block)) for _ in range(count))

    def of_block(self, block):
        r = self.random
        return " ".join(self.characters(block, r.randint(1, 8)) for _ in range(r.randint(1, 5)))

    def of_blocks(self):
        r = self.random
        return r.choice([" ", "", r.choice(SPACES)]).join(self.characters(r.choice(BLOCKS), r.randint(1, 5)) for _ in range(r.randint(1, 8)))

    def of_pieces(self):
        r = self.random
        return r.choice(["", " "]).join(r.choice(self.pieces).replace("▁", r.choice(["▁", " ", " ", ""])) for _ in range(r.randint(1, 12)))

    def of_few(self):
        r = self.random
        few = r.choice(SENTENCES)[:6] + r.choice(SPACES)
        return "".join(r.choice(few) for _ in range(r.randint(1, 60)))

    def altered(self):
        r = self.random
        text = list(r.choice(SENTENCES))
        for _ in range(r.randint(1, 6)):
            at = r.randrange(len(text) + 1)
            text[at : at + r.randint(0, 3)] = r.choice([self.characters(r.choice(BLOCKS), 1), r.choice(SPACES), r.choice(self.pieces), ""])
        return "".join(text)

    def any(self):
        return self.random.choice([self.of_blocks, self.of_pieces, self.of_few, self.altered, lambda: self.of_block(self.random.choice(BLOCKS))])()
