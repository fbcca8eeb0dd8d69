#!/usr/bin/env python3
"""Writes about 40,000 labelled pairs of short memories for the pair judge, in the form of pairs.jsonl.

usage: generate.py [OUT.jsonl] [SEED] [COUNT]     Python standard library only; about 10 s.
Frames: LADDERS (states that move on), POLES (opposites, each in several wordings), SCENES (o = older, c = clash, k = stays true),
NUMBERS (values in many formats), CLASSES (general word and member). "~" marks a fragment, " / " separates wordings, ">" a change.
"""
import random, re, json, sys, datetime, collections, pathlib
OUT = sys.argv[1] if len(sys.argv) > 1 else "generated.jsonl"
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 771
TARGET = int(sys.argv[3]) if len(sys.argv) > 3 else 40000
R = random.Random(SEED)
C = R.choice

# ------------------------------------------------------------------ vocabulary
def W(s): return [x.strip() for x in s.replace("\n", ",").split(",") if x.strip()]
FEM = W("""Alma,Berit,Clara,Dagny,Edith,Flora,Greta,Helga,Irma,Jana,Kira,Lotte,Mona,Nora,Odile,Paloma,Renata,Selma,Thea,Uma,Vera,Wilma,Xenia,Yara,Zita,Adele,Bruna,Celine,Dolores,Eileen,
Fiona,Gemma,Heidi,Ilse,Josie,Karla,Lena,Maja,Nell,Ophelia,Pilar,Rhea,Stella,Tilda,Ulrike,Viola,Wendy,Yvette,Zora,Amina,Bahar,Chanda,Dilek,Esra,Fumiko,Hyejin,Ifeoma,Jaya,Kalinda,Lakisha,Megumi,Nandini,Oluchi,Rekha,Sanaa,Tamsin,Usha,Wambui,Xiulan,Yun""")
MAS = W("""Albin,Boris,Carl,Dario,Edgar,Fritz,Gustav,Harald,Ivan,Jens,Kurt,Leon,Magnus,Nils,Otto,Peter,Quentin,Rolf,Stefan,Tom,Uwe,Viktor,Walter,Yannick,Zeno,Aldo,Bruno,Cesar,Dylan,Ernesto,
Frank,Gino,Hector,Ignacio,Jorge,Karol,Lorenzo,Marvin,Norbert,Oscar,Philip,Ramon,Simon,Tobias,Ulrich,Vincent,Warren,Xavier,Yosef,Zack,Adnan,Bashir,Chen,Deniz,Ebrahim,Feng,Haruto,Ikenna,Jiro,Kwesi,Lamine,Musa,Naveen,Olumide,Pranav,Qasim,Rajiv,Sanjay,Taro,Uchenna,Yong,Ben,Ned,Sam""")
LAST = W("""Abbott,Barlow,Castell,Drake,Engel,Falk,Grant,Hale,Iversen,Jordan,Klein,Lund,Marsh,Novotny,Olsen,Pike,Quist,Ramos,Stone,Thorne,Ueda,Vance,Winter,Young,Zeller,Aydin,Banerjee,Chaudhry,Diallo,Esposito,Farouk,Goto,Huang,Islam,Joshi,Kovac,Lopez,Mbeki,Nair,Okoro,Prasad,Rojas,Singh,Toure,Usman,Varga,Wang,Xu,Yeo,Zhang""")
SVC = W("""billing,search,login,checkout,mailer,stock,reports,payments,catalog,ranking,shipping,media,ingest,session,gateway,pricing,analytics,audit,booking,invoicing,geocoder,profile,webhook,feed,uploader,exporter,metrics,ledger,fraud,translator,scheduler,thumbnail,chatbot,archive,voucher,loyalty,calendar,crawler,payroll,sync,parser,indexer""")
PROJ = W("Aster,Badger,Cirrus,Dahlia,Eclipse,Fjord,Gazelle,Heron,Indigo,Jasper,Krill,Lotus,Monsoon,Nebula,Otter,Puffin,Quiver,Rowan,Sirocco,Tulip,Umber,Vortex,Walnut,Yarrow,Zinnia,Basalt,Cedar,Drift,Elm,Flint")
CUST = [a + b for a in W("Alder,Birchwood,Copperfield,Dunmore,Eastgate,Foxglove,Glenrock,Hartwell,Ivory,Jetstream,Keystone,Lakeside,Millstone,Northgate,Ostrava,Parkview,Quantum,Riverbend,Stonebridge,Thornhill,Upland,Vantage,Westbrook,Yellowtail,Zephyr") for b in ["", " Foods", " Ltd", " Motors", " Labs", " Group", " Textiles", " Dental", " Shipping"]]
COUNTRY = {"Portugal": "Braga,Porto,Faro,Coimbra", "Spain": "Bilbao,Seville,Malaga,Zaragoza", "France": "Lille,Nantes,Toulouse,Grenoble", "Germany": "Bremen,Dresden,Hanover,Leipzig,Mainz", "Austria": "Graz,Linz,Salzburg,Villach",
 "Italy": "Turin,Bari,Bologna,Verona", "Poland": "Gdansk,Lodz,Poznan,Lublin", "Czechia": "Brno,Ostrava,Plzen", "Norway": "Bergen,Trondheim,Stavanger", "Sweden": "Uppsala,Malmo,Gothenburg", "Finland": "Tampere,Turku,Oulu", "Denmark": "Aarhus,Odense,Aalborg",
 "Ireland": "Cork,Galway,Limerick", "Greece": "Patras,Thessaloniki,Heraklion", "Turkey": "Izmir,Bursa,Antalya", "Egypt": "Alexandria,Luxor,Aswan", "Morocco": "Fez,Agadir,Marrakesh", "Kenya": "Mombasa,Kisumu,Nakuru", "Nigeria": "Lagos,Ibadan,Kano", "Ghana": "Kumasi,Tamale,Accra",
 "India": "Pune,Chennai,Jaipur,Kochi", "Japan": "Osaka,Sapporo,Nagoya,Fukuoka", "South Korea": "Busan,Daegu,Incheon", "Vietnam": "Hanoi,Da Nang,Hue", "Thailand": "Chiang Mai,Phuket,Bangkok", "Australia": "Perth,Brisbane,Adelaide,Hobart", "Canada": "Calgary,Ottawa,Halifax,Winnipeg",
 "Mexico": "Puebla,Oaxaca,Monterrey", "Brazil": "Recife,Curitiba,Manaus,Salvador", "Argentina": "Rosario,Mendoza,Salta", "Chile": "Valparaiso,Concepcion,Temuco", "Peru": "Cusco,Arequipa,Trujillo", "Scotland": "Glasgow,Aberdeen,Dundee", "Switzerland": "Basel,Bern,Lausanne", "the Netherlands": "Utrecht,Groningen,Rotterdam"}
CITY = [c for v in COUNTRY.values() for c in W(v) if c != "Ostrava"]
MON = "January February March April May June July August September October November December".split()
DAYN = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NUMW = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
VOC = dict(svc=SVC, proj=PROJ, cust=CUST, city=CITY, country=list(COUNTRY), mon=MON, wd=DAYN[:5],
 team=["the %s team" % t for t in W("platform,payments,growth,data,mobile,infra,security,search,support,logistics,compliance,finance,legal,design,sales,kitchen,night-shift,press,events,archive")],
 emp=W("Siemens,the city library,a law firm,Volvo,the port,a bakery chain,Shopify,the university hospital,Philips,Maersk,the museum,Bosch,Sony,the tax office,Airbus,a translation agency,Roche,Lidl,the zoo,Ericsson,the fire brigade,a radio station,Lufthansa,the observatory,Bayer"),
 role=W("cook,accountant,receptionist,data engineer,gardener,driver,nurse,translator,bookkeeper,web designer,caretaker,trainer,lab assistant,project manager,librarian,sound technician"),
 trade=W("carpenter,electrician,plumber,baker,tailor,bricklayer,roofer,locksmith,glazier,welder"),
 lang=W("Spanish,Polish,Hindi,Arabic,Mandarin,Portuguese,Swahili,Turkish,Korean,Finnish,Hungarian,Greek,Dutch,Norwegian,Czech,German,French,Italian,Japanese,Welsh"),
 room=W("kitchen,bathroom,hallway,bedroom,attic,guest room,study,living room,laundry room,nursery"),
 mtg=W("room Atlas,room Berlin,room 3.07,the glass room,the east room,the conference room,room Pine,the basement room,room 112,the blue room"),
 appl=W("dishwasher,washing machine,fridge,oven,boiler,vacuum cleaner,coffee machine,lawn mower,tumble dryer,toaster,printer,kettle"),
 street=W("Elm Road,Mill Lane,Harbour Street,Station Road,Park Avenue,Church Lane,King Street,Garden Row,Bridge Street,Linden Alley,Rose Court,Canal Street"),
 vendor=W("Ashgrove Paper,Bellamy Catering,Corso Cleaning,Delmar Print,Easton Couriers,Fairway Office,Gilmore Security,Holt Electrical,Inkwell Design,Juno Flowers,Kepler Telecom,Larch Timber,Mercer Foods,Norvik Freight"),
 topic=W("the parking rules,the new logo,remote work,the office move,the bike lane,the canteen,solar panels,the reading room,soil moisture,bird migration,night trains,the style guide,the training plan,sleep quality,the water pipe,the summer camp,battery ageing,road noise,the pension plan,the tree survey"),
 lab=W("biology,chemistry,physics,genetics,materials,optics,food"), bank=W("Alpenbank,Nordea,Barclays,the savings bank,Santander,ING,the credit union,Revolut"),
 hotel=W("the Park Hotel,the Bellevue,Hotel Anker,the Seaview Inn,the Meridien,the Old Post,Hotel Astra,the Crown"),
 med=W("metformin,lisinopril,cetirizine,atorvastatin,omeprazole,sertraline,levothyroxine,ramipril,prednisone"), clinic=W("eye,dental,skin,heart,Hillside,Riverside,Westpark"),
 veh=W("delivery van,minibus,forklift,tractor,company car,trailer,camper van,pickup"),
 item=W("oak desk,blue lamp,garden chair,red kettle,travel mug,steel shelf,wool blanket,road bike,camping stove,desk fan,hiking boot,tea set,rain jacket,wall clock"),
 club=W("the Lakeside rowing club,the Eastside chess club,the under-14 team,the Hillview tennis club,the Borough swim team,the fencing club,the Old Town choir,the Rovers,the Wanderers,the climbing club,the judo squad,the Falcons"),
 sporth=W("tennis,badminton,squash,basketball,volleyball,padel,handball"), subj=W("maths,physics,geography,chemistry,history,biology,French,Latin,music,economics,literature,art"),
 event=W("summer party,spring fair,book launch,charity gala,science night,flea market,open day,winter concert,wine tasting,garden show,quiz night,film evening,trade fair,workshop on glass,staff dinner,reunion,poetry slam,street festival,hack day,model train show"),
 food=W("apple pie,lasagne,carrot cake,fish soup,lentil stew,onion tart,rye bread,cheesecake,vegetable curry,roast,plum cake,potato gratin"),
 rest=W("Café Linde,the Golden Carp,Trattoria Nino,the Black Sheep,Bistro Vert,the Noodle Bar,Chez Odette,the Harbour Grill,the Green Door,Taverna Zeus"),
 field=W("north,south,lower,upper,river,east,long,stony"), animal=W("brown cow,grey mare,old goat,white hen,black sheep,donkey"),
 likable=W("jazz,karaoke,camping,spicy food,chess,opera,winter,gardening,blue cheese,small talk,long-distance running,dark chocolate,fishing,liquorice,country music"),
 fear=W("flying,deep water,public speaking,driving at night,the dark"), allergen=W("pollen,penicillin,latex,gluten,shellfish,soy,sesame,milk protein"),
 drink=W("red wine,apple juice,mineral water,beer,lemonade"), tool=W("Jira,Figma,Slack,Kafka,Terraform,Excel,Notion,Airflow,Celery,Grafana,Miro,Zoom,Ansible,Trello"),
 feat=W("export module,mobile app,invoice scanner,chat widget,API,calendar plug-in,audit log,map view"), coll=W("stamps,coins,old maps,records,postcards,comics,beer mats"),
 dom=W("shop.example.com,api.example.org,mail.example.net,www.example.com,auth.example.org,cdn.example.net"))
REL = {"f": W("my sister,my mother,my aunt,my boss,our neighbour,my flatmate,my daughter,our landlady"), "m": W("my brother,my father,my uncle,my boss,our neighbour,my flatmate,my son,our landlord")}
class Person:
    def __init__(s, g=None):
        s.g = g or C("fm"); s.first = C(FEM if s.g == "f" else MAS); s.last = C(LAST); r = R.random(); s.i = False
        if r < .12: s.forms = ["the user"]
        elif r < .18: s.forms = ["I"]; s.i = True
        elif r < .26: s.forms = [C(REL[s.g])]
        elif r < .34: s.forms = [C(REL[s.g]) + " " + s.first, s.first] if R.random() < .6 else [s.first + " from " + C(VOC["team"])]
        elif r < .55: s.forms = [s.first + " " + s.last, s.first]
        elif r < .60: s.forms = [("Ms " if s.g == "f" else "Mr ") + s.last]
        elif r < .64: s.forms = [s.first + " " + s.last[0] + "."]
        else: s.forms = [s.first]
    def sib(s):
        f = s.forms[0]; r = R.random()
        o = Person(s.g if R.random() < .6 else None)
        if f == "I": o.forms = [C(["my sister", "my colleague " + o.first, o.first, "my partner", "the neighbour"])]; o.i = False
        elif f == "the user": o.forms = [C(["the user's " + C(["brother", "partner", "colleague", "mother"]), o.first, "the other user"])]; o.i = False
        elif f.endswith(".") and r < .7: o.forms = [s.first + " " + C([x for x in "BCDKMRT" if x != f[-2]]) + "."]; o.i = False
        elif f.startswith("my ") or f.startswith("our "): o.forms = [C([f + "'s " + C(["colleague", "friend", "partner"]), o.first, C([x for x in REL["f"] + REL["m"] if not f.startswith(x)])])]; o.i = False
        elif " " in f and r < .3: o.forms = [s.first + " " + C([x for x in LAST if x != s.last])]; o.i = False
        elif " " in f and r < .55 and f.endswith(s.last): o.forms = [o.first + " " + s.last] if o.first != s.first else [s.first + "'s cousin"]; o.i = False
        elif r < .4 and not f.endswith("."): o.forms = [f + "'s " + C(["brother", "sister", "boss", "neighbour", "partner", "best friend"])]; o.i = False
        elif o.i or o.first == s.first: o.forms = [C([x for x in (FEM if o.g == "f" else MAS) if x != s.first])]; o.i = False
        return o
    def show(s, full): return s.forms[0] if full or R.random() < .5 else C(s.forms)
PRO = {"f": ("she", "her", "her"), "m": ("he", "his", "him")}

def num(b, env):
    if b == "num": return str(R.randint(1001, 9899))
    if b == "n": return str(R.randint(3, 60))
    if b == "sm": return C(NUMW[2:10])
    if b == "year": return str(R.randint(2009, 2024))
    if b == "date": return f"{R.randint(1, 28)} {C(MON)}"
    if b == "time": return C([f"{R.randint(7, 20)}:{C(['00', '15', '30', '45'])}", f"{R.randint(1, 11)} {C(['am', 'pm'])}"])
    if b == "money": return C(["{} euros", "${}", "€{}", "{} dollars"]).format(C([R.randint(20, 950), R.randint(20, 95) * 10]))
    if b == "ver": return f"{R.randint(1, 9)}.{R.randint(0, 14)}"
    if b == "fl": return C(["LH", "KL", "BA", "AF", "SK", "TP"]) + str(R.randint(100, 2999))
    return None
def slot(k, env):
    base, idx = re.match(r"([a-z_A-Z]+?)(\d?)$", k).groups()
    for _ in range(60):
        if base == "p": v = C(FEM + MAS)
        else: v = num(base, env) or C(VOC[base])
        if all(v != env[q] for q in env if re.match(base + r"\d?$", q)) and not (base == "p" and v in env.get("_used", "")): break
    env[k] = v
    if base == "p":
        env["he" + idx], env["his" + idx], env["him" + idx] = PRO["f" if v in FEM else "m"]
    return v
def fill(t, env):
    def sub(m):
        k = m.group(1)
        if k not in env:
            if re.match(r"(he|his|him)\d?$", k): slot("p" + k[-1] if k[-1].isdigit() else "p", env)
            else: slot(k, env)
        return env[k]
    return re.sub(r"\{(\w+)\}", sub, t)
def arith(env):
    lo, hi = sorted(R.sample(range(18, 60), 2)); y = R.randint(2, 9); a, b = R.randint(8, 20), R.randint(6, 24); tm = R.randint(5, 40)
    more = lo + hi + R.randint(2, 9)
    env.update(lo=str(lo), hi=str(hi), sum=str(lo + hi), more=str(more), more2=str(hi + R.randint(2, 9)), yrs=C([str(y), NUMW[y]]), lo_plus=str(lo + y), lo_plus_wrong=str(lo + y + R.randint(1, 5)), lo1=str(lo + 1),
      hi_wrong=str(hi + R.choice([-9, -5, -3, 4, 7])), dozen=str(a), ten=str(b), dozten=str(a * b), dozten_wrong=str(a * b + C([-40, -14, 10, 33, 60]) if a * b > 60 else a * b + 20), ten_wrong=str(b + C([-2, 3, 5])), yr_right=f"{C([str(tm * 120), f'{tm * 120:,}'])}", yr_wrong=str(C([tm * 90, tm * 180, tm * 60])))
    env["ten0"] = None; del env["ten0"]; env["_tm"] = str(tm)
    y1 = R.randint(2012, 2022); env.update(y1=str(y1), y2=str(y1 + R.randint(1, 3)))
    h = R.randint(7, 15); env.update(t1=f"{h}:{C(['00', '15'])}", t3=f"{h + R.randint(1, 4)}:{C(['30', '45'])}")
    n = R.randint(4, 50); env.update(n=str(n), n3=str(n + C([-2, 2, 3, 7, 11])))
    v = R.randint(1, 9); env.update(v1=f"v{v}.{R.randint(0, 5)}", v2=f"v{v}.{R.randint(6, 12)}")

# ------------------------------------------------------------------ surface
PRE = ["Update:", "Note:", "FYI:", "FYI,", "Heads-up:", "Reminder:", "Just heard:", "Actually,", "Turns out", "It turns out that", "As it happens,", "By the way,", "Latest:", "Meanwhile,", "Well,", "So", "Good to know:", "For the record,",
  "From the call:", "Memo:", "In short,", "Okay,", "Again:", "To be precise,", "Apparently", "I hear", "@P:", "@P wrote:", "@P says:", "Standup note:", "Quick one:", "Also,", "As agreed,", "By now", "These days", "Looks like", "Now,", "Confirmed:", "News:", "hey,", "@D:", "@D -", "[@D]", "(@D)", "[@I]", "@I -", "log @I:", "As of @D,"]
PRE_E = [p for p in PRE if p not in ("By now", "These days", "Now,", "As of @D,", "Looks like", "I hear", "Latest:")]
FILL = ["{p} took the minutes.", "More on {wd}.", "The rest of the thread is about lunch.", "Source: a mail from {p}.", "Nothing else to report.", "{p} was there too.", "I wrote this down after the call.", "Please remember this.", "We spoke about the weather as well.", "That is all for today.",
  "{p} passed this on.", "Details are in the notes.", "It was a busy day.", "{p} and {p2} both heard it.", "The coffee machine made a noise all the while.", "No action needed.", "Someone should write this into the wiki.", "This came up in passing.", "Talked to {p} before lunch.", "Long day yesterday.", "Three other points were dropped.", "Not much else happened."]
def iso(role): return (datetime.date(2025, 1, 3) + datetime.timedelta(R.randrange(0, 300)) if role == "old" else datetime.date(2026, 1, 5) + datetime.timedelta(R.randrange(0, 300)))
def ddate(role):
    d = iso(role); return C([d.isoformat(), f"{d.day} {MON[d.month-1][:3]} {d.year}", f"{MON[d.month-1]} {d.year}"])
def cap(t): return t[:1].upper() + t[1:]
CONTR = [("is not", "isn't"), ("has not", "hasn't"), ("does not", "doesn't"), ("did not", "didn't"), ("will not", "won't"), ("cannot", "can't"), ("are not", "aren't"), ("have not", "haven't"), ("would not", "wouldn't"), ("was not", "wasn't"), ("do not", "don't"), ("we are ", "we're "), ("there is ", "there's ")]
def typo(t):
    w = [i for i in range(2, len(t) - 2) if t[i].isalpha() and t[i+1].isalpha() and t[i-1].isalpha() and t[i].islower() and t[i+1].islower()]
    if not w: return t
    i = C(w); r = R.random()
    return t[:i] + t[i+1] + t[i] + t[i+2:] if r < .5 else t[:i] + t[i+1:] if r < .8 else t[:i] + t[i] + t[i:]
def gram(t):
    t = re.sub(r"\ba (?=[aeiou](?!ni|ne\b|ne-|ser|u))", "an ", t)
    t = t.replace("the the ", "the ").replace("the my ", "my ").replace("  ", " ")
    t = re.sub(r"\bthe (team|topic) the ", "the ", t)
    return t
def finish(t, role, used, ev=False, extra=None):
    """Dress a clause up: prefix, date, neighbours, capitals, contraction, typo."""
    frag = t.startswith("~"); t = t.lstrip("~"); r = R.random()
    if R.random() < .35:
        for a, b in CONTR:
            t = re.sub(r'\b' + a.strip() + r'\b(?= |$)' if a[-1] != ' ' else r'\b' + a, b, t)
    t = gram(t)
    if r < .34:
        p = C(PRE_E if ev or frag else PRE)
        if "@P" in p and re.search(r"\b(I|my|me)\b", t): p = "Note:"
        if frag and not p.endswith((":", "]", ")")) : p = "Note:"
        if "@P" in p: p = p.replace("@P", C([x for x in FEM + MAS if x not in used]))
        p = p.replace("@D", ddate(role)).replace("@I", iso(role).isoformat() + C(["", " %02d:%02d" % (R.randint(7, 19), R.randint(0, 59))]))
        body = (cap(t) if R.random() < .5 else t) if p.endswith((":", "]", ")", "-")) else t
        t = p + " " + body; t = t if p == "hey," else cap(t)
    else: t = cap(t)
    if r > .93 and not ev and not frag and not re.search(r"\b(I|my|me)\b", t): t += C([f" (as of {ddate(role)})", ", as far as I know", ", I was told", f", says {C([x for x in FEM + MAS if x not in used])}"])
    end = R.random()
    t = t if t[-1] in ".?!" else t + ("." if end < .86 else "" if end < .97 else "!")
    if extra:
        x = extra[1:] if extra.startswith("~") else extra
        x = cap(gram(x)).rstrip(".?!") + "."
        t = (x + " " + t) if R.random() < .5 else (t if t[-1] in ".!?" else t + ".") + " " + x
    r = R.random()
    if r < .2:
        env = {"_used": used}; f = fill(C(FILL), env)
        t = (f + " " + t) if R.random() < .45 else (t if t[-1] in ".!?" else t + ".") + " " + f
        if R.random() < .2: t = fill(C(FILL), {"_used": used}) + " " + t
    r = R.random()
    if r < .05: t = t.lower().rstrip(".")
    elif r < .065: t = typo(t)
    return t
HYPW = ["{p} asked whether {c}", "does anyone know whether {c}?", "there is an unconfirmed rumour that {c}", "imagine for a moment that {c}", "{p} dreamt that {c}", "it would be nice to hear one day that {c}", "a bored colleague joked that {c}", "nobody has claimed that {c}", "{p} wonders whether {c}", "if it should ever happen that {c}, {p} will tell us", "the quiz had the made-up line that {c}", "{p} hopes to hear one day that {c}"]
DENY = ["it is not true that {c}", "it is not the case that {c}", "{p} was wrong to say that {c}", "the note saying that {c} is out of date", "forget the line that {c}, that is wrong", "it does not hold any more that {c}", "nobody should go on thinking that {c}", "I was mistaken in writing that {c}", "we can strike the sentence that {c}", "contrary to the notes, it is false that {c}"]
AFFW = ["it is true that {c}", "it is the case that {c}", "{p} was right to say that {c}", "the note saying that {c} is up to date", "keep the line that {c}, that is right", "it holds that {c}", "everybody should know that {c}", "I was right in writing that {c}", "we can trust the sentence that {c}", "as the notes say, it is a fact that {c}"]
YESW = ["{p} asked whether {c}, and yes, it is so", "a colleague checked whether {c}, and it is so", "we wondered whether {c}, and that is the case", "if anyone asks: {c}", "it will not surprise {p} that {c}", "the rumour that {c} is confirmed", "{p} hoped to hear one day that {c}, and today it is so", "would you believe it, {c}", "{p} went to ask whether {c}, and the answer was yes", "it happens to be the case that {c}", "we all know, and a colleague said it again, that {c}"]
def wrapc(ws, c, used):
    return fill(C(ws).replace("{c}", "\0"), {"_used": used}).replace("\0", c)

rows, seen, cnt, frames = [], set(), collections.Counter(), collections.defaultdict(set)
def emit(a, b, label, kind, frame):
    if a == b or a.lower().strip(".! ") == b.lower().strip(".! ") or (a, b) in seen: return False
    if len(a) + len(b) > 420 or "{" in a + b: return False
    seen.add((a, b)); rows.append(dict(older=a, newer=b, label=label, kind=kind)); cnt[label, kind] += 1; frames[kind].add(frame); return True

# ------------------------------------------------------------------ reading the frames
class G: pass
def opts(s): return [x.strip() for x in s.split(" / ") if x.strip()]
def read(text):
    out = []
    for ln in text.strip().splitlines():
        ln = ln.strip()
        if not ln: continue
        h, _, rest = ln.partition(" ")
        if h in "LPMAH" and len(h) == 1:
            g = G(); out.append(g); g.t = h; g.id = len(out); p = rest.split("|"); g.dom = p[0]; g.g = None; g.st = {}; g.ev = {}; g.e = []; g.k = []; g.h = []; g.o = []; g.c = []; g.eq = []; g.ch = []; g.n = []; g.gg = []; g.x = []
            g.subj = p[1].split(";") if h != "M" else None; g.kind = p[1] if h == "M" else None; g.vt = p[2] if len(p) > 2 else None
        elif h in ("N", "F"): g.g = {"mas": "m", "fem": "f"}.get(rest)
        elif h.startswith(("NOK", "N1")): pass
        elif h[0].isdigit(): (g.ev if h.endswith(">") else g.st).setdefault(int(h[0]), []).extend(opts(rest))
        elif g.t == "M": {"o": g.o, "c": g.c, "k": g.k}[h].extend(opts(rest))
        else: {"e": g.e, "k": g.k, "h": g.h, "=": g.eq, ">": g.ch, "n": g.n, "g": g.gg, "x": g.x}[h].extend(opts(rest))
    return out

# subjects
def mk(g, env=None):
    env = dict(env or {}); arith(env) if g.t == "M" else None
    if g.subj == ["@p"]: env["S"] = env.pop("_P", None) or Person(g.g); env["_used"] = " ".join(env["S"].forms) + " " + env["S"].first
    elif g.t != "M":
        for v in g.subj: fill(v, env)
        if R.random() < .28 and "{svc}" in g.subj[0] and g.subj[0].startswith("the "): env["_env"] = C(["staging", "production", "EU", "US", "legacy", "Berlin"])
    return env
def sib(g, env):
    e = dict(env)
    if g.subj == ["@p"]: e["S"] = env["S"].sib(); e["_used"] = " ".join(e["S"].forms) + " " + e["S"].first; return e
    if env.get("_env") and R.random() < .7:
        e["_env"] = C([x for x in ["staging", "production", "EU", "US", "legacy", "Berlin"] if x != env["_env"]]); return e
    ks = re.findall(r"\{(\w+)\}", g.subj[0]); k = C(ks); old = e[k]
    if k == "num" and R.random() < .5: e[k] = str(int(old) + C([1, -1, 10, 100, 9])); return e
    for _ in range(20):
        e.pop(k); v = slot(k, e)
        if v != old: break
    return e
VERBX = {"is": "am", "has": "have", "does": "do", "was": "was", "goes": "go"}
def person_clause(t, P, full):
    form = P.show(full); h, hs, hm = PRO[P.g]
    if P.i:
        if not t.lstrip("~").startswith("{S}") or t.startswith("~") or len(re.findall(r"\{S\}(?!'s)", t)) > 1: return None
        t = t.replace("{S}'s", "my").replace("{him}self", "myself").replace("{his}", "my").replace("{him}", "me").replace("{he} has", "I have").replace("{he} is", "I am").replace("{he} lives", "I live").replace("{he} never", "I never").replace("{he} ", "I ")
        if t.startswith("{S}"):
            ws = t.split(" "); i = 1
            while i < len(ws) - 1 and ws[i] in ("also", "rarely", "never", "hardly", "nearly", "always", "still", "often", "once", "seldom", "usually", "keeps"): i += 1
            w = ws[i]
            if w in VERBX: ws[i] = VERBX[w]
            elif w.endswith("ies"): ws[i] = w[:-3] + "y"
            elif w.endswith(("ches", "shes", "sses")): ws[i] = w[:-2]
            elif w.endswith("s") and not w.endswith("ss") and w not in ("was",): ws[i] = w[:-1]
            if ws[1] == "keeps": ws[1] = "keep"
            t = " ".join(ws); t = t.replace("{S}", "I")
            if " and " in t and re.search(r" and (is|has|does|works|draws|needs|plays|lives|enjoys|signed|wants|stays|gives) ", t): t = re.sub(r" and (is|has|does|works|draws|needs|plays|lives|wants|stays|gives) ", lambda m: " and " + {"is": "am", "has": "have", "does": "do"}.get(m.group(1), m.group(1)[:-1]) + " ", t)
        return t
    if form == "the user" or P.forms[0] in ("the other user",): pass
    return t.replace("{S}", form).replace("{he}", h).replace("{his}", hs).replace("{him}", hm)
def clause(g, t, env, full=True, **kw):
    e = env
    e.update(kw)
    if g.subj == ["@p"]:
        t = person_clause(t, e["S"], full)
        if t is None: return None
        return fill(t, e)
    s = fill(g.subj[0] if full or R.random() < .5 else C(g.subj), e)
    if e.get("_env") and s.startswith("the "): s = "the " + e["_env"] + " " + s[4:]
    P_LAST = s
    t = t.replace("{S}", s)
    return fill(t, e)
def pick(g, ts, env, full=True, nofrag=False, tries=8, **kw):
    for _ in range(tries):
        t = C(ts)
        if nofrag and t.startswith("~"): continue
        c = clause(g, t, env, full, **kw)
        if c is not None: return c, t
    return None, None
def adv(c, words):
    m = re.match(r"^(.{2,45}?) is (?!not |no |now |still |only |over|the |never |nearly |rarely |hardly |already |just |anything|being|back|what|who|where)", c)
    return c[:m.end()] + C(words) + " " + c[m.end():] if m and c.count(" is ") == 1 and not c.startswith(("there ", "nobody", "it ", "one ")) else c
def used(env): return " ".join(str(v) for k, v in env.items() if isinstance(v, str)) + " " + env.get("_used", "")
def tail(g, env, p=.14):
    if R.random() > p: return None
    pool = g.e + g.k
    if not pool: return None
    return pick(g, pool, env)[0]

def ladder(g, lab):
    env = mk(g); P = g.t == "P"; ks = sorted(g.st); r = R.random()
    def fin(c, role, ev=False, x=None): return finish(c, role, used(env), ev, x)
    full2 = R.random() < .5
    if lab == "conflict":
        if r < .90:
            i, j = R.sample(ks, 2)
            if not P and i > j and R.random() < .75: i, j = j, i
            a, ta = pick(g, g.st[i], env); pool = g.st[j] + (g.ev.get(j, []) * 2 if j > i else [])
            b, tb = pick(g, pool, env, full2)
            if not a or not b: return False
            if R.random() < .16 and tb in g.st[j]: b = adv(b, ["now", "currently", "already", "now"] if j > i else ["still", "still", "again", "currently"])
            if R.random() < .11 and tb in g.st[j] and not tb.startswith("~"): b = wrapc(C([AFFW, YESW, YESW]), b, used(env))
            elif R.random() < .03 and tb in g.st[j] and not tb.startswith("~"): b += C([" after all", " as of late"])
            return emit(fin(a, "old", x=tail(g, env)), fin(b, "new", tb not in g.st[j], tail(g, env, .1)), lab, "pole_flipped" if P else "state_moved_on" if j > i else "state_moved_back", (g.id, i, j))
        i = C(ks); a, ta = pick(g, g.st[i], env, nofrag=r > .95)
        b, tb = pick(g, g.st[i], env, full2, nofrag=True)
        if not a or not b: return False
        return emit(fin(a, "old", x=tail(g, env)), fin(wrapc(DENY, b, used(env)), "new"), lab, "state_denied", (g.id, i))
    if r < .36:
        i = C(ks); a, ta = pick(g, g.st[i] + g.ev.get(i, []), env); b, tb = pick(g, g.st[i] + g.ev.get(i, []), env, full2)
        if not a or not b or ta == tb and R.random() < .8: return False
        if R.random() < .3 and tb in g.st[i]: b = adv(b, ["now", "now", "currently", "already", "still"])
        if R.random() < .11 and tb in g.st[i] and not tb.startswith("~"): b = wrapc(C([AFFW, YESW, YESW]), b, used(env))
        elif R.random() < .07 and tb in g.st[i] and not tb.startswith("~"): b += C([", after all", ", as said", ", as before"])
        return emit(fin(a, "old", ta not in g.st[i], tail(g, env)), fin(b, "new", tb not in g.st[i], tail(g, env, .1)), lab, "same_pole" if P else "same_state", (g.id, i))
    if r < .62:
        i = C(ks); j = C([k for k in ks if k != i] if R.random() < .85 else ks)
        if not P and i > j and R.random() < .7: i, j = j, i
        a, ta = pick(g, g.st[i] + (g.ev.get(i, []) if R.random() < .3 else []), env); e2 = sib(g, env); b, tb = pick(g, g.st[j] + g.ev.get(j, []) * 2, e2)
        if not a or not b: return False
        if R.random() < .24 and tb in g.st[j]: b = adv(b, ["now", "now", "currently", "already", "still"])
        return emit(fin(a, "old", ta not in g.st[i], tail(g, env)), finish(b, "new", used(e2), tb not in g.st[j], tail(g, e2, .1)), lab, "other_subject_state", (g.id, i, j))
    if r < .86:
        i = C(ks); a, ta = pick(g, g.st[i] + g.ev.get(i, []), env); pool = g.e * 2 + g.k + (g.h * 2 if i == 1 and ta in g.st[1] else [])
        if not pool: return False
        b, tb = pick(g, pool, env, full2)
        if not a or not b: return False
        kind = "plan_or_hope_vs_state" if tb in g.h else "event_that_stays_true" if tb in g.e else "other_aspect"
        if R.random() < (.45 if tb in g.e else .3): a, b, ta, tb = b, a, tb, ta
        return emit(fin(a, "old", True), fin(b, "new", True), lab, kind, (g.id, i, tb))
    i, j = R.sample(ks, 2); a, ta = pick(g, g.st[i], env); b, tb = pick(g, g.st[j], env, full2, nofrag=True)
    if not a or not b: return False
    if r < .92:
        if R.random() < .25: return emit(fin(wrapc(HYPW, pick(g, g.st[C(ks)], env, True, True)[0] or b, used(env)), "old", True), fin(b, "new", x=tail(g, env)), lab, "question_then_state", (g.id, i, j))
        return emit(fin(a, "old", x=tail(g, env)), fin(wrapc(HYPW, b, used(env)), "new", True), lab, "question_or_rumour", (g.id, i, j))
    return emit(fin(a, "old", x=tail(g, env)), fin(wrapc(DENY, b, used(env)), "new"), lab, "other_state_denied", (g.id, i, j))

def scen(g, lab):
    env = mk(g)
    if g.g:
        v = C(FEM if g.g == "f" else MAS); env["p"] = v; env["he"], env["his"], env["him"] = PRO[g.g]
    if "0 euros a month" in g.o[0]: env["ten"] = env["_tm"]
    ta = C(g.o); tb = C(g.c if lab == "conflict" else g.k if R.random() < .8 else g.o)
    if ta == tb: return False
    a = fill(ta, env); b = fill(tb, env); u = used(env)
    if tb in g.o: kind = "same_fact_other_words"
    else: kind = "m_" + g.kind
    x = None; past = True
    if lab == "conflict" and R.random() < .04 and not ta.startswith("~"): b = wrapc(DENY, fill(C([t for t in g.o if not t.startswith("~")]), env), u); kind = "m_denied"
    elif lab != "conflict" and R.random() < .05:
        t = C(g.c)
        if not t.startswith("~") and "," not in t and "I " not in t: b = wrapc(C([HYPW, DENY]) if g.kind not in ("correction",) else HYPW, fill(t, env), u); kind = "m_rumour_or_denied_clash"
    if kind == "same_fact_other_words" and R.random() < .5: a, b = b, a
    return emit(finish(a, "old", u, True), finish(b, "new", u, True), lab, kind, (g.id, ta, tb))

# ------------------------------------------------------------------ values
def ordn(n): return f"{n}{'th' if 10 <= n % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
FREQ = [["daily", "every day", "once a day", "each day"], ["weekly", "every week", "once a week", "every seven days"], ["every two weeks", "fortnightly", "every other week", "once a fortnight", "every 14 days"], ["monthly", "every month", "once a month", "12 times a year"], ["quarterly", "every three months", "four times a year", "once a quarter"], ["yearly", "once a year", "every year", "annually", "every twelve months"], ["twice a week", "two times a week"], ["twice a year", "every six months", "every half-year"], ["hourly", "every hour", "every 60 minutes", "24 times a day"], ["twice a day", "two times a day", "every twelve hours"], ["every other day", "every two days", "every second day"]]
QUART = [["Q1", "the first quarter", "January to March", "the first three months of the year"], ["Q2", "the second quarter", "April to June"], ["Q3", "the third quarter", "July to September"], ["Q4", "the fourth quarter", "October to December", "the last quarter", "the last three months of the year"]]
def vgen(t):
    if t == "cnt": return R.randint(3, 60)
    if t == "bigcnt": return C([R.randint(101, 999), R.randint(10, 99) * 100, R.randint(1, 40) * 1000, R.randint(1001, 9999), C([1500, 2500, 12000, 250000, 1000000, 1200000, 3000000])])
    if t == "money": return (C([R.randint(40, 950), R.randint(4, 95) * 10, R.randint(10, 45) * 100]), C("$€£"))
    if t == "bigmoney": return (C([R.randint(10, 95) * 1000, R.randint(10, 95) * 100 * 10, R.randint(10, 95) * 100000, R.randint(1, 9) * 1000000, R.randint(10, 99) * 500]), C("$€£"))
    if t == "min": return C([5, 10, 12, 15, 20, 25, 30, 40, 45, 50, 60, 75, 80, 90, 100, 120, 135, 150, 180, 210, 240])
    if t == "days": return C([1, 2, 3, 4, 5, 7, 10, 14, 20, 21, 28, 30, 35, 42, 45, 60, 90])
    if t == "months": return C([3, 6, 9, 12, 18, 24, 30, 36, 48, 60])
    if t in ("date", "bday"): return datetime.date(2026, 1, 1) + datetime.timedelta(R.randrange(365))
    if t == "time": return C(range(6 * 60, 22 * 60, 15)) if R.random() < .8 else C([720, 1080, 540, 1020, 1230])
    if t == "ver": return (R.randint(1, 9), C([0, 0, R.randint(0, 20)]), C([None, 0, R.randint(0, 9)]))
    if t == "size": return C([128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096, 8192, 16384, 32768, 65536])
    if t == "dist": return C([200, 400, 500, 800, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 8000, 10000, 12000, 15000, 21000])
    if t == "weight": return C([250, 500, 750, 1000, 1500, 2000, 2500, 4000, 12000, 20000, 80000, 250000, 500000, 1000000])
    if t == "temp": return C(range(140, 261, 10))
    if t == "rtemp": return C([10, 15, 18, 19, 20, 21, 22, 23, 24, 25, 30])
    if t == "freq": return R.randrange(len(FREQ))
    if t == "quarter": return R.randrange(4)
    if t == "pct": return C([5, 10, 12, 20, 25, 30, 33, 40, 45, 50, 60, 66, 70, 75, 80, 90, 95, R.randint(3, 97)])
    if t == "len": return C(range(95, 215))
    if t == "score": return (R.randint(0, 6), R.randint(0, 6))
    if t == "port": return C([8080, 3000, 5432, 9090, 443, 6379, R.randint(1025, 9999)])
def vdiff(t, v):
    for _ in range(99):
        w = vgen(t)
        if t in ("money", "bigmoney"):
            w = (w[0], v[1])
            if R.random() < .4: w = (int(v[0] * C([.5, .8, .9, 1.1, 1.2, 1.5, 2, 10])), v[1])
            if abs(w[0] - v[0]) < .08 * v[0]: continue
        elif t in ("cnt", "bigcnt"):
            if R.random() < .4: w = v + C([-3, -2, 2, 3, 5, 9]) if v < 90 else int(v * C([.5, .75, .9, 1.1, 1.5, 2, 10]))
            if w < 2 or v > 90 and abs(w - v) < .08 * v: continue
        elif t in ("date", "bday") and R.random() < .5:
            w = v + datetime.timedelta(C([-7, -2, -1, 1, 2, 7, 14, 30]))
            if w.year != 2026: continue
        elif t == "time" and (w - v) % 720 == 0: continue
        elif t == "pct" and abs(w - v) < 3: continue
        elif t == "len" and abs(w - v) < 2: continue
        elif t == "days" and (v, w) in ((28, 30), (30, 28)): continue
        elif t == "ver" and (w[0], w[1], w[2] or 0) == (v[0], v[1], v[2] or 0): continue
        elif t == "score" and w == v: continue
        if w != v: return w
def vshow(t, v):
    r = R.random()
    if t == "cnt": return NUMW[v] if v <= 20 and r < .35 else "a dozen" if v == 12 and r < .5 else "two dozen" if v == 24 and r < .4 else str(v)
    if t == "bigcnt":
        o = [str(v), f"{v:,}"]
        if v >= 1000 and v % 100 == 0: o += [f"{v / 1000:g}k"] if v < 1000000 else [f"{v / 1e6:g} million", f"{v / 1e6:g}m"]
        if v >= 1000 and v % 1000 == 0 and v < 1000000: o += [f"{v // 1000} thousand" if v // 1000 > 1 else "a thousand"]
        return C(o)
    if t in ("money", "bigmoney"):
        n, c = v; cd = {"$": "USD", "€": "EUR", "£": "GBP"}[c]; w = {"$": "dollars", "€": "euros", "£": "pounds"}[c]
        o = [f"{c}{n:,}", f"{n:,} {w}", f"{cd} {n:,}", f"{n} {cd}", f"{c}{n}"]
        if n >= 1000 and n % 100 == 0: o += [f"{c}{n / 1000:g}k", f"{n / 1000:g}k {w}"] if n < 1000000 else [f"{c}{n / 1e6:g}M", f"{n / 1e6:g} million {w}", f"{c}{n / 1e6:g} million"]
        return C(o)
    if t == "min":
        o = [f"{v} minutes", f"{v} min", f"{v} minutes"]
        if v % 30 == 0 and v > 30: o += [f"{v / 60:g} hours" if v != 60 else "one hour", f"{v / 60:g} h"]
        o += {15: ["a quarter of an hour"], 30: ["half an hour", "0.5 h"], 45: ["three quarters of an hour"], 60: ["an hour", "1 h"], 90: ["an hour and a half", "one and a half hours", "1:30 h"], 75: ["an hour and a quarter", "1 h 15"], 120: ["two hours"], 150: ["two and a half hours", "2 h 30"], 180: ["three hours"]}.get(v, [])
        if v > 60: o += [f"{v // 60}h{v % 60:02d}"]
        return C(o)
    if t == "days":
        o = [f"{v} day" + "s" * (v > 1)] * 2
        o += {1: ["24 hours"], 2: ["48 hours"], 3: ["72 hours"], 7: ["a week", "one week"], 14: ["two weeks", "a fortnight", "2 weeks"], 21: ["three weeks"], 28: ["four weeks"], 35: ["five weeks"], 42: ["six weeks"]}.get(v, [])
        return C(o)
    if t == "months":
        o = [f"{v} months"] * 2 + {3: ["a quarter of a year"], 6: ["half a year", "six months"], 12: ["a year", "one year"], 18: ["a year and a half", "1.5 years"], 24: ["two years"], 30: ["two and a half years"], 36: ["three years"], 48: ["four years"], 60: ["five years"]}.get(v, [])
        return C(o)
    if t in ("date", "bday"):
        m, d = MON[v.month - 1], v.day; y = t == "date"
        return C([f"{d} {m}", f"{m} {d}", f"{m} {ordn(d)}", f"{m[:3]} {d}", f"the {ordn(d)} of {m}"] + ([f"{d} {m[:3]} 2026", v.isoformat(), f"{m} {d}, 2026", f"{d:02d}.{v.month:02d}.2026"] if y else []))
    if t == "time":
        h, m = divmod(v, 60); ap = "am" if h < 12 else "pm"; k = (h - 1) % 12 + 1; part = "in the morning" if h < 12 else "in the afternoon" if h < 18 else "in the evening"
        o = [f"{h}:{m:02d}", f"{h:02d}:{m:02d}", f"{h:02d}:{m:02d}"]
        if v == 720: return C(["noon", "12:00", "midday", "12 pm"])
        if h != 12:
            o += [f"{k}:{m:02d} {ap}", f"{k}.{m:02d}{ap}"]
            if m == 0: o += [f"{k} {ap}", f"{k}{ap}", f"{NUMW[k]} {part}"]
            if m == 30: o += [f"half past {NUMW[k]} {part}"]
            if m == 15: o += [f"a quarter past {NUMW[k]} {part}"]
        return C(o)
    if t == "ver":
        s = f"{v[0]}.{v[1]}" + (f".{v[2]}" if v[2] is not None else ""); 
        if v[2] == 0 and r < .5 or v[2] is None and r < .2: s = f"{v[0]}.{v[1]}" + (".0" if r < .2 and v[2] is None else "")
        return C(["v", "version ", "release "]) + s
    if t == "size":
        o = [f"{v} MB"]
        if v >= 512 and v % 512 == 0: o += [f"{v / 1024:g} GB"] * 2
        if v == 512: o += ["half a gigabyte"]
        if v > 4096: o = o[1:]
        return C(o)
    if t == "dist": return C([f"{v} m", f"{v:,} metres"] + ([f"{v / 1000:g} km", f"{v / 1000:g} kilometres"] * 2 if v >= 500 else []) + ({500: ["half a kilometre"], 1000: ["one kilometre"]}.get(v, [])))
    if t == "weight":
        if v >= 20000: return C([f"{v // 1000} kg", f"{v // 1000} kilos"] + ([f"{v / 1e6:g} t", f"{v / 1e6:g} tonnes"] if v >= 250000 else []) + {500000: ["half a tonne"], 1000000: ["a tonne"]}.get(v, []))
        return C([f"{v} g", f"{v:,} grams"] * (v < 5000) + [f"{v / 1000:g} kg", f"{v / 1000:g} kilos"] + {500: ["half a kilo"], 1000: ["a kilo"]}.get(v, []))
    if t in ("temp", "rtemp"): return C([f"{v} °C", f"{v} degrees", f"{v}°C", f"{v} degrees Celsius"] + ([f"{v * 9 // 5 + 32} °F", f"{v * 9 // 5 + 32} degrees Fahrenheit"] if v % 5 == 0 else []))
    if t == "freq": return C(FREQ[v])
    if t == "quarter": return C(QUART[v])
    if t == "pct": return C([f"{v}%", f"{v} %", f"{v} percent", f"{v} per cent"] + {25: ["a quarter"], 50: ["half", "one half"], 75: ["three quarters"], 20: ["a fifth", "one fifth"], 10: ["a tenth"], 5: ["one twentieth"], 80: ["four fifths"]}.get(v, []))
    if t == "len": return C([f"{v} cm", f"{v / 100:.2f} m", f"{v} centimetres", f"{v // 100} m {v % 100}" if v >= 110 else f"{v} cm"])
    if t == "score": return C([f"{v[0]}-{v[1]}", f"{v[0]}:{v[1]}", f"{NUMW[v[0]]} to {NUMW[v[1]]}"])
    return str(v)
def mag(t, v): return v[0] if t in ("money", "bigmoney") else v
def scalev(t, v, f):
    n = mag(t, v) * f; n = n if n < 10 else round(n, -1) if n < 1000 else round(n, -2) if n < 20000 else round(n, -3)
    n = max(2, int(n)); return (n, v[1]) if t in ("money", "bigmoney") else n
def numpair(g, lab):
    env = mk(g); t = g.vt; v = vgen(t); w = vdiff(t, v); r = R.random()
    if w is None: return False
    u = lambda e=env: used(e)
    full2 = R.random() < .5
    a, ta = pick(g, g.eq + (g.ch if R.random() < .2 else []), env, V=vshow(t, v), O=vshow(t, vdiff(t, v)))
    if not a: return False
    if lab == "conflict":
        if t in ("bigcnt", "bigmoney", "money", "cnt") and r < .14:
            n = mag(t, v); f = C([.3, .5, .6]) if R.random() < .5 else C([1.6, 2, 3]); q = vshow(t, scalev(t, v, f))
            if abs(mag(t, scalev(t, v, f)) - n) < .2 * n + 2 : return False
            q = C(["less than ", "at most ", "fewer than " if t.endswith("cnt") else "under ", "about ", "only "] if f < 1 else ["more than ", "at least ", "over ", "about ", "around "]) + q
            b, tb = pick(g, g.eq, env, full2, nofrag=True, V=q, O=vshow(t, v)); kind = "number_bound_clash"
        else:
            b, tb = pick(g, g.eq + g.ch * 2, env, full2, V=vshow(t, w), O=vshow(t, v if R.random() < .85 or True else w)); kind = "value_changed_" + t
            if b and tb in g.eq and R.random() < .13 and not tb.startswith("~"): b += C([", not ", " rather than ", " and not "]) + vshow(t, v)
        if not b: return False
        return emit(finish(a, "old", u(), ta in g.ch, tail_n(g, env)), finish(b, "new", u(), tb in g.ch, tail_n(g, env, .07)), lab, kind, (g.id, ta, tb))
    if r < .5:
        if t in ("bigcnt", "bigmoney", "money") and r < .14:
            f = C([.8, .85, .9]) if R.random() < .5 else C([1.15, 1.2, 1.3]); q = scalev(t, v, f)
            if mag(t, q) == mag(t, v) or (mag(t, q) > mag(t, v)) != (f > 1): return False
            q = C(["more than ", "at least ", "over "] if f < 1 else ["less than ", "at most ", "no more than "]) + vshow(t, q); kind = "number_bound_agrees"
        else: q = vshow(t, v); kind = "equal_value_" + t
        pool = [x for x in g.eq + g.ch if x != ta or R.random() < .4]
        if kind == "number_bound_agrees": pool = g.eq
        b, tb = pick(g, pool, env, full2, nofrag=kind == "number_bound_agrees", V=q, O=vshow(t, w))
        if not b: return False
        if tb in g.eq and R.random() < .3 and not tb.startswith("~") and kind != "number_bound_agrees": b += C([", not ", " rather than ", " and not "]) + vshow(t, w)
        return emit(finish(a, "old", u(), ta in g.ch, tail_n(g, env)), finish(b, "new", u(), tb in g.ch, tail_n(g, env, .07)), lab, kind, (g.id, ta, tb))
    if r < .74:
        a, ta = pick(g, [ta], env, V=vshow(t, v), O=vshow(t, vdiff(t, v))); e2 = sib(g, env); b, tb = pick(g, g.eq + g.ch * 2, e2, V=vshow(t, w), O=vshow(t, vdiff(t, w)))
        if not a or not b: return False
        return emit(finish(a, "old", u(), ta in g.ch, tail_n(g, env)), finish(b, "new", used(e2), tb in g.ch), lab, "other_subject_value", (g.id, ta, tb))
    if r < .94:
        b, tb = pick(g, g.n, env, full2, V=vshow(t, w))
        if not b: return False
        if R.random() < .35: a, b, ta, tb = b, a, tb, ta
        return emit(finish(a, "old", u(), True), finish(b, "new", u(), True), lab, "near_value_other_aspect", (g.id, ta, tb))
    b, tb = pick(g, g.eq, env, full2, nofrag=True, V=vshow(t, w))
    if not b: return False
    return emit(finish(a, "old", u(), ta in g.ch), finish(wrapc(C([HYPW, DENY]), b, u()), "new", u(), True), lab, "value_rumour_or_denied", (g.id, ta, tb))
def tail_n(g, env, p=.1): return None

# ------------------------------------------------------------------ class and member tables
TB = {"country": {(k,): W(v) for k, v in COUNTRY.items()},
 "db": {("a relational database", "an SQL database"): W("PostgreSQL,Postgres,MySQL,MariaDB,Oracle"), ("a document store", "a document database"): W("MongoDB,CouchDB"), ("a graph database",): W("Neo4j,JanusGraph"), ("plain files", "flat files"): W("CSV files,text files"), ("an in-memory store",): W("Redis,Memcached")},
 "cloudregion": {("Europe", "the EU"): W("Frankfurt,eu-west-1,Dublin,Stockholm,eu-central-1"), ("the US", "the United States", "America"): W("Virginia,us-east-1,Oregon,Ohio,us-west-2"), ("Asia",): W("Tokyo,Singapore,ap-south-1,Mumbai")},
 "os": {("a Windows machine",): W("Windows 10,Windows 11"), ("a Mac", "an Apple machine"): W("macOS Sonoma,macOS Ventura"), ("a Linux machine", "a Linux box"): W("Ubuntu,Fedora,Debian,Arch")},
 "partday": {("in the morning", "before noon"): W("9:30,10 am,8 am,08:45"), ("in the afternoon",): W("2 pm,15:30,4 pm,14:15"), ("in the evening",): W("7 pm,20:00,8:30 pm,19:15")},
 "weekpart": {("on a weekday", "during the week"): DAYN[:5], ("at the weekend", "on a weekend"): DAYN[5:]},
 "quarter": {tuple(q[:3]): MON[3 * i:3 * i + 3] for i, q in enumerate(QUART)},
 "agegroup": {("a teenager", "between thirteen and nineteen"): [str(x) for x in range(13, 20)], ("between twenty and twenty-nine",): [str(x) for x in range(20, 30)], ("between thirty and thirty-nine",): [str(x) for x in range(30, 40)], ("over sixty-five",): [str(x) for x in range(66, 90)], ("between forty and fifty-nine",): [str(x) for x in range(40, 60)]},
 "vehicle": {("an electric car", "a car with a battery"): W("Tesla Model Y,Nissan Leaf,Renault Zoe,VW ID.3"), ("a van",): W("Ford Transit,VW Transporter,Mercedes Sprinter"), ("a sports car",): W("Porsche 911,Mazda MX-5,Audi TT")},
 "pet": {("a dog",): W("beagle,poodle,whippet,dachshund"), ("a cat",): W("Siamese cat,Maine Coon,tabby,Persian cat"), ("a bird",): W("canary,parrot,budgie"), ("a reptile",): W("gecko,tortoise,corn snake"), ("a rodent",): W("hamster,guinea pig,gerbil")},
 "instr": {("a string instrument", "a stringed instrument"): W("violin,cello,viola,double bass"), ("a brass instrument",): W("trumpet,trombone,tuba"), ("a woodwind instrument",): W("flute,clarinet,oboe,bassoon"), ("a percussion instrument",): W("snare drum,marimba,xylophone")},
 "meds": {("an antibiotic",): W("amoxicillin,doxycycline"), ("a painkiller",): W("ibuprofen,paracetamol"), ("a blood pressure drug",): W("ramipril,amlodipine,losartan"), ("an antihistamine",): W("cetirizine,loratadine"), ("a blood thinner",): W("warfarin,apixaban"), ("a sleeping pill",): W("zopiclone,zolpidem")},
 "job": {("healthcare", "medicine"): W("nurse,midwife,paramedic,surgeon"), ("education", "teaching"): W("maths teacher,kindergarten teacher,university lecturer"), ("construction", "building"): W("bricklayer,roofer,crane operator"), ("law",): W("barrister,notary,judge"), ("catering", "the restaurant trade"): W("line cook,waiter,sommelier"), ("software", "IT"): W("backend developer,frontend programmer,database administrator")},
 "paychan": {("in cash",): W("with notes and coins,with a fifty-euro note,with banknotes"), ("electronically", "without cash"): W("by bank transfer,by card,with a phone app")},
 "channel": {("in person", "face to face", "on site"): W("at our office,around the big table in the office,in the canteen"), ("remote", "online", "virtual"): W("by video call,over Zoom,on Teams,on Google Meet")},
 "ship": {("by sea", "by ship"): W("on a container ship,on a freighter"), ("by air",): W("on a cargo plane,on a night flight,by plane"), ("by road",): W("by lorry,in a van,on a truck"), ("by rail",): W("on a freight train,in a railway wagon")},
 "commute": {("by public transport",): W("by bus,by tram,on the underground,by train"), ("without any engine", "by muscle power"): W("by bike,on foot,on a kick scooter"), ("with a private motor vehicle",): W("by car,on a motorbike,on a moped")},
 "material": {("wood", "timber"): W("oak parquet,pine boards,larch boards"), ("stone",): W("granite,slate,marble"), ("carpet",): W("a wool carpet,a sisal carpet")},
 "sector": {("food",): W("bakery,brewery,pizza chain,sausage factory"), ("healthcare",): W("dental practice,care home,hospital group"), ("transport",): W("haulage firm,taxi firm,coach operator"), ("education",): W("language school,driving school,nursery chain"), ("clothing", "fashion"): W("shoe shop,shirt maker,hat shop")},
 "langkind": {("a JVM language",): W("Java,Kotlin,Scala,Clojure"), ("a scripting language",): W("Python,Ruby,Perl"), ("a compiled language without a garbage collector",): W("Rust,C,C++,Zig")},
 "schoollevel": {("in primary school",): W("in year 2,in the first form,a first-grader"), ("at university", "a university student"): W("a second-year law student,in the third term of physics at the university,a medical student"), ("not at school yet", "too young for school"): W("two years old,a toddler,still in a pram")},
 "diet": None}
DIET = {("vegetarian", "a vegetarian"): (W("lentil stew,a cheese omelette,vegetable lasagne,falafel"), W("steak,chicken wings,pork chops,grilled salmon,bacon,lamb curry")), ("vegan", "a vegan"): (W("lentil stew,tofu curry,hummus with olives,bean chilli"), W("a cheese omelette,yoghurt,scrambled eggs,beef stew,buttered toast,grilled trout")),
 ("pescatarian", "a pescatarian"): (W("grilled salmon,prawns,vegetable curry,tuna salad"), W("steak,chicken wings,pork chops,meatballs")), ("on a gluten-free diet",): (W("risotto,baked potatoes,polenta,rice noodles"), W("wheat bread,barley soup,ordinary wheat pasta,wheat pancakes")), ("on a dairy-free diet",): (W("tofu curry,grilled salmon,bean chilli,beef stew"), W("yoghurt,mozzarella,milk pudding,cheese fondue"))}
XXSAME = {"country", "os", "weekpart", "quarter", "partday", "agegroup", "vehicle", "pet", "instr", "job"}
def hyp(g, lab):
    env = mk(g); t = g.vt; full2 = R.random() < .5; r = R.random(); u = used(env)
    if t == "diet":
        ks = list(DIET); c1 = C(ks); ok, bad = DIET[c1]; G1 = C(c1)
        a, ta = pick(g, g.gg, env, G=G1)
        if lab == "conflict": b, tb = pick(g, g.x, env, full2, X=C(bad)); kind = "hyponym_clash"
        else:
            if r < .5: b, tb = pick(g, g.x, env, full2, X=C(ok)); kind = "hyponym_agrees"
            elif r < .75: b, tb = pick(g, g.k, env, full2, X=C(bad)); kind = "hyponym_other_aspect"
            else: e2 = sib(g, env); a, ta = pick(g, [ta], env, G=G1) if ta else (None, None); b, tb = pick(g, g.x, e2, X=C(bad)); kind = "hyponym_other_subject"
        if not a or not b: return False
        if kind in ("hyponym_clash", "hyponym_agrees") and R.random() < .3: a, b = b, a
        return emit(finish(a, "old", u, True), finish(b, "new", u, True), lab, kind, (g.id, ta, tb))
    T = TB[t]; ks = list(T); c1, c2 = R.sample(ks, 2); G1, G2, X1, X2 = C(c1), C(c2), C(T[c1]), C(T[c2])
    pk = lambda ts, e, f=True, nf=False, **kw: pick(g, ts, e, f, nf, **kw)
    if lab == "conflict":
        kind = "hyponym_clash"
        if r < .42: (a, ta), (b, tb) = pk(g.gg, env, G=G1), pk(g.x, env, full2, X=X2)
        elif r < .66: (a, ta), (b, tb) = pk(g.x, env, X=X1), pk(g.gg, env, full2, G=G2)
        elif r < .84:
            Y = C([x for x in T[c1] if x != X1]) if t in XXSAME and R.random() < .5 else X2
            (a, ta), (b, tb) = pk(g.x, env, X=X1), pk(g.x, env, full2, X=Y); kind = "member_changed"
        elif r < .92: (a, ta), (b, tb) = pk(g.gg, env, G=G1), pk(g.gg, env, full2, G=G2); kind = "class_changed"
        else:
            (a, ta), (b, tb) = pk(g.x, env, X=X1), pk(g.gg, env, full2, True, G=G1)
            if not b: return False
            b = wrapc(DENY, b, u); kind = "class_denied"
        if not a or not b: return False
        return emit(finish(a, "old", u), finish(b, "new", u), lab, kind, (g.id, ta, tb))
    if r < .3: (a, ta), (b, tb) = pk(g.gg, env, G=G1), pk(g.x, env, full2, X=X1); kind = "hyponym_agrees"
    elif r < .48: (a, ta), (b, tb) = pk(g.x, env, X=X1), pk(g.gg, env, full2, G=G1); kind = "hyponym_agrees"
    elif r < .58: (a, ta), (b, tb) = pk(g.x, env, X=X1), pk(g.x, env, full2, X=X1); kind = "same_member"
    elif r < .74:
        e2 = sib(g, env); f = R.random()
        (a, ta), (b, tb) = (pk(g.gg, env, G=G1) if f < .5 else pk(g.x, env, X=X1)), (pk(g.x, e2, X=X2) if f < .75 else pk(g.gg, e2, G=G2)); kind = "hyponym_other_subject"
    elif r < .92:
        (a, ta), (b, tb) = (pk(g.gg, env, G=G1) if R.random() < .5 else pk(g.x, env, X=X1)), pk(g.k, env, full2, X=X2); kind = "hyponym_other_aspect"
        if R.random() < .3: a, b = b, a
    else:
        (a, ta), (b, tb) = pk(g.x, env, X=X1), pk(g.gg, env, full2, True, G=G2)
        if not b: return False
        b = wrapc(C([HYPW, DENY]), b, u); kind = "class_rumour_or_denied"
    if not a or not b or (kind == "same_member" and ta == tb): return False
    return emit(finish(a, "old", u), finish(b, "new", u), lab, kind, (g.id, ta, tb))

# ------------------------------------------------------------------ unrelated rows that share a name
def any_clause(g, shared):
    env = mk(g, dict(shared))
    if g.t in "LP": c, t = pick(g, [x for k in g.st for x in g.st[k]] * 2 + [x for k in g.ev for x in g.ev[k]] + g.e + g.k, env)
    elif g.t == "M":
        if g.g: return None, None
        if "0 euros a month" in g.o[0]: env["ten"] = env["_tm"]
        c = fill(C(g.o), env)
    elif g.t == "A": c, t = pick(g, g.eq + g.n, env, V=vshow(g.vt, vgen(g.vt)))
    else:
        if g.vt == "diet": return None, None
        T = TB[g.vt]; k = C(list(T)); c, t = pick(g, g.x + g.k, env, X=C(T[k]))
    return c, used(env)
def unrel(ALL):
    P = Person(); base = {k: C(VOC[k]) for k in ("svc", "proj", "cust", "city", "team", "event", "club", "topic", "vendor") }
    P.forms = [P.first] if R.random() < .7 and not P.i else P.forms
    base["p"] = P.first; base["he"], base["his"], base["him"] = PRO[P.g]; base["_P"] = P
    a_, b_ = R.sample(ALL, 2)
    if a_.dom == b_.dom: return False
    def sh(g):
        d = dict(base)
        if g.subj == ["@p"]: d.pop("p"), d.pop("he"), d.pop("his"), d.pop("him"); d["_used"] = P.first
        else: d.pop("_P")
        return d
    a, ua = any_clause(a_, sh(a_)); b, ub = any_clause(b_, sh(b_))
    if not a or not b: return False
    return emit(finish(a, "old", ua, True), finish(b, "new", ub, True), "unrelated", "unrelated_shared_name", (a_.id, b_.id))

def main():
    L = read(LADDERS); Po = read(POLES); M = read(SCENES); A = read(NUMBERS); H = read(CLASSES)
    allg = []
    for off, gs in enumerate((L, Po, M, A, H)):
        for g in gs: g.id = (off, g.id); allg.append(g)
    plan = [("conflict", .185, ladder, L), ("conflict", .075, ladder, Po), ("conflict", .105, scen, M), ("conflict", .065, numpair, A), ("conflict", .045, hyp, H),
            ("compatible", .165, ladder, L), ("compatible", .075, ladder, Po), ("compatible", .115, scen, M), ("compatible", .075, numpair, A), ("compatible", .045, hyp, H)]
    for lab, share, fn, gs in plan:
        goal = len(rows) + round(share * TARGET); tries = 0
        while len(rows) < goal and tries < 60 * share * TARGET: fn(C(gs), lab); tries += 1
        if len(rows) < goal: print("short", lab, fn.__name__, goal - len(rows))
    while len(rows) < TARGET: unrel(allg)
    R.shuffle(rows)
    with open(OUT, "w") as f:
        for r in rows: f.write(json.dumps(r, ensure_ascii=False) + "\n")
    tot = collections.Counter(r["label"] for r in rows)
    print(len(rows), dict(tot)); print({"ladders": len(L), "poles": len(Po), "scenarios": len(M), "numeric": len(A), "class": len(H), "wordings": sum(len(v) for g in allg for v in ([x for d in (g.st, g.ev) for x in d.values()] + [g.e, g.k, g.h, g.o, g.c, g.eq, g.ch, g.n, g.gg, g.x]))})
    for (l, k), n in sorted(cnt.items()): print(f"{l:11s} {k:30s} {n:6d}  frames {len(frames[k])}")
LADDERS = r"""
L sw|PR {num};pull request {num};#{num}
1 {S} is waiting for review / {S} still needs a reviewer / nobody has looked at {S} yet / ~{S}: review pending / {S} has been sitting without a review since {wd}
2 {S} has its approvals and only waits for the build / the reviewers signed off on {S} and CI is still running / ~{S}: approved, not merged yet
3 {S} is in main / {S} is part of the main branch / ~{S}: merged
3> {S} got merged this morning / {p} merged {S} / {S} landed / {S} went in on {wd}
4 {S} is closed without a merge / {S} is abandoned
4> {p} closed {S} without merging it / {S} was thrown away in favour of another approach
e {S} was opened by {p2} / {S} was opened on {wd2} / the first commit of {S} dates from {mon}
h {p} hopes to merge {S} by {wd} / if the tests pass, {S} goes in on {wd}
k {S} touches the login page / {S} changes {n} files / {p} wrote most of {S}
L sw|the {proj} roadmap;the roadmap for {proj}
1 {S} is a draft / {S} is still being written / ~{S}: work in progress / {S} is unfinished and not for sharing
2 {S} is published / {S} is public on the wiki / the final version of {S} is out / ~{S}: released to everyone
2> {p} published {S} / {S} went out to all staff on {wd}
e {p} began writing {S} in {mon} / {S} was first discussed at the offsite
h {p} wants to publish {S} on {wd} / {S} should be ready by the end of {mon2}
k {S} covers two years / {S} has {n} pages
L sw|ticket {num};issue {num}
1 {S} is open / {S} is unresolved / nobody has fixed {S} so far / ~{S}: open, no fix yet
2 {S} is closed / {S} is resolved / {S} has been fixed / ~{S}: done
2> {p} closed {S} / {S} was ticked off on {wd} / the fix for {S} shipped with the last release
e {S} was reported by {p2} / {S} came in on {wd2} / {S} was filed by a customer
h {p} expects to close {S} on {wd} / {S} may be closed next sprint
k {S} is about the export button / {S} has {n} comments
L sw|ticket {num};issue {num}
1 {S} is blocked / {S} cannot move because of a missing API key / {S} is stuck / ~{S}: blocked by the vendor
2 {S} is unblocked / nothing holds {S} up any more / {S} is free to move / {S} can proceed
2> the blocker on {S} is gone / {p} unblocked {S} / {S} is moving again
e {S} was created in {mon} / {p2} picked up {S} on {wd}
h {S} could be unblocked on {wd} if the vendor replies
k {S} belongs to the {svc} epic / {S} is estimated at {sm} points
L sw|the {svc} feature flag;the flag for {svc}
1 {S} is off everywhere / {S} is disabled / nobody gets the feature behind {S} / ~{S} = false
2 {S} is on for everyone / {S} is enabled across the board / ~{S} = true / all users get the feature behind {S}
2> {p} switched {S} on for all users / {S} was turned on on {wd}
e {S} was introduced in {mon} / {p2} added {S}
h {p} plans to flip {S} on {wd} / once QA is done, {S} will be turned on
k {S} is managed by {team} / {S} is stored in the config repo
L infra|the {svc} migration;the migration of {svc}
1 {S} has not begun / {S} is yet to start / no work on {S} has been done so far / ~{S}: not started
2 {S} is under way / {S} is halfway through / {team} is busy with {S} / ~{S}: in progress
3 {S} is complete / {S} is finished / {S} is behind us / ~{S}: done
3> {team} finished {S} on {wd} / the last table moved over and {S} was wrapped up / {p} declared {S} complete
4 {S} is paused midway / {S} was begun and is on hold / work on {S} is suspended halfway / ~{S}: paused in the middle
4> {p} put {S} on ice / {S} was stopped for now
e {S} was approved in {mon} / {S} was proposed by {p2} / the kickoff for {S} was on {wd}
k {S} is led by {p} / {S} has a budget of its own / {S} involves {n} tables
L infra|project {proj};the {proj} project
1 {S} is paused / {S} is on hold / work on {S} is frozen / nobody is working on {S} at the moment / ~{S}: on ice
2 {S} is back on / {S} is running again / work on {S} has picked up again / ~{S}: active again
2> {S} was resumed on {wd} / {p} restarted {S} / {team} took {S} out of the freezer
3 {S} is cancelled for good / {S} is dead / {S} will never be finished
3> {p} killed {S} / management pulled the plug on {S}
e {S} was launched in {year} / {S} was {p2}'s idea / the charter of {S} was signed in {mon}
h {p} would like to restart {S} after the summer / {S} may come back if there is budget
k {S} is sponsored by {team} / {S} has its own channel
L infra|the {svc} service;{svc}
1 {S} is down / {S} is not reachable / {S} answers nothing but errors / ~{S}: outage / users cannot get to {S}
2 {S} is up and healthy / {S} is reachable and working normally / ~{S}: all green / {S} serves every request without trouble
2> {S} came back at {time} / {p} brought {S} back / {S} recovered
e {S} was deployed to {city} in {mon} / {S} crashed once in {mon} last year
h {p} thinks {S} could be back by {time} / if the disk is swapped, {S} will come back
k {S} is owned by {team} / {S} is written in Go
L infra|the {city} server room;the server room in {city}
1 {S} is being built / {S} is under construction / builders are still at work in {S}
2 {S} is in use / {S} is fully operational / ~{S}: live
2> {S} went live in {mon} / {S} took over the first workloads
3 {S} is empty and shut down / {S} is decommissioned / there is no hardware left in {S}
3> {S} was cleared out and closed / {p} switched {S} off for the last time
e the plans for {S} were drawn in {year} / {S} was {p2}'s proposal
h {S} may open in {mon2}
k {S} is on the ground floor / the door code of {S} is kept by {p}
L infra|the certificate for {dom};{dom}'s TLS certificate
1 {S} is valid / {S} is fine for months to come / ~{S}: OK, not expiring soon
2 {S} has expired / {S} is out of date / browsers reject {S} / ~{S}: expired
2> {S} ran out on {wd} / {S} lapsed over the weekend
e {S} was first issued in {year} / {p} requested {S}
k {S} is stored in the vault / {S} covers {sm} hostnames
L infra|the {svc} backup job;the backup job of {svc}
1 {S} is failing / {S} has not succeeded for days / every run of {S} ends in an error / ~{S}: red
2 {S} runs cleanly / {S} completes every night / ~{S}: green / no run of {S} has failed lately
2> {p} repaired {S} / {S} went through without errors again
e {S} was set up by {p2} / {S} was moved to a new host in {mon}
h with a bigger disk {S} would go through
k {S} starts at {time} / {S} writes to cold storage
L sw|version {ver} of {proj};{proj} {ver}
1 {S} is in beta / {S} is a pre-release / {S} is out for testers only / ~{S}: beta
2 {S} is generally available / {S} is stable / everyone can download {S} / ~{S}: GA
2> {S} left beta / {p} promoted {S} to stable
3 {S} is end of life / {S} gets no more fixes / {S} is unsupported / ~{S}: EOL
3> support for {S} ended / {S} was retired
e the first build of {S} was made in {mon} / {p2} tagged {S}
k {S} contains a new editor / {S} was built on {wd}
L sw|the {svc} rewrite
1 {S} is only an idea / {S} is just being talked about / nobody has committed to {S}
2 {S} is approved / {S} has the green light / {S} is officially on the plan
2> management said yes to {S} / {S} got its go-ahead
3 {S} is rejected / {S} will not happen / {S} is off the table
3> the committee turned {S} down / {p} shot {S} down
e {p2} brought up {S} at the offsite / a paper about {S} was written in {mon}
h {p} would be glad if {S} were approved
k {S} would take {sm} months / the estimate for {S} came from {team}
L sw|the {svc} repo;the {svc} repository
1 {S} is private / {S} is closed to outsiders / only staff can see {S} / ~{S}: internal only
2 {S} is public / {S} is open source / anybody on the internet can read {S} / ~{S}: public
2> {p} opened {S} to the world / {S} was made public on {wd}
e {S} was created in {year} / {p2} made the first commit in {S}
h {p} wonders whether to open-source {S}
k {S} has {n} contributors / {S} uses trunk-based development
L sw|the {svc} repo;the {svc} repository
1 {S} is actively developed / people commit to {S} every day / ~{S}: active
2 {S} is archived / {S} is read-only / nobody maintains {S} any more / ~{S}: archived
2> {p} archived {S} / {S} was frozen and set to read-only
e {S} was forked in {year} / {S} started out as a hackathon toy
k the docs of {S} are in the wiki / {S} holds the {svc} client
L sw|the {svc} test suite
1 {S} is flaky / {S} fails at random / nobody can rely on {S}
2 {S} is stable / {S} passes run after run / {S} has not had a random failure in weeks
2> {p} got rid of the flakiness in {S} / {S} stopped failing at random
e {S} was written in {year} / {S} was split in two in {mon}
k {S} has {n} tests / {S} runs in {n2} minutes
L sw|the {svc} code freeze
1 {S} is in force / {S} is on, no merges allowed / merges are barred because of {S}
2 {S} is over / {S} has been lifted / merging is allowed again after {S}
2> {p} lifted {S} / {S} ended this morning
e {S} was announced on {wd} / {p2} asked for {S}
h {S} could end on {wd2} / {p} expects {S} to be over by {date}
k {S} applies to all of {team}
L sw|the bug in the {svc} export
1 {S} is reproducible / {p} can trigger {S} every time / we can make {S} happen at will
2 nobody can reproduce {S} / {S} does not show up however hard we try / all attempts to trigger {S} fail
e {S} was reported on {wd} / a customer found {S}
k {S} hits only large files / {S} has a ticket
L sw|the cause of the {svc} crash
1 {S} is unknown / nobody knows {S} / {S} is a mystery / ~{S}: unclear, still looking
2 {S} is known / {S} is clear: a full disk / {team} understands {S}: a full disk / ~{S}: a full disk
2> {p} tracked down {S}, a full disk / {S} was found to be a full disk
e the {svc} crash happened on {wd} / the {svc} crash hit {n} users
h {p} suspects a full disk / {p} hopes to find {S} by {wd}
L sw|incident {num};INC-{num}
1 {S} is ongoing / {S} is not over / we are in the middle of {S} / ~{S}: active
2 {S} is over / {S} is resolved / ~{S}: resolved / {S} is behind us
2> {p} called the all-clear for {S} / {S} was closed at {time}
e {S} was declared at {time2} / {S} began with an alert from {city}
h {p} thinks {S} could be over by {time}
k {p2} is the incident lead for {S} / {S} concerns {svc}
L people|@p
1 {S} is out of work and job hunting / {S} is jobless / {S} is unemployed / {S} has no job at the moment
2 {S} has a job / {S} is employed full time / {S} is in full-time work
2> {S} started at {emp} on {date} / {S} signed with {emp} / {S} found work at {emp}
e {S} studied in {city} / {S} finished university in {year}
h {S} would love to work for {emp} / {S} has an interview at {emp} on {wd}
k {S} lives near {city2} / {S} speaks two languages
L people|@p
1 {S} works at {emp} / {S} is on the payroll of {emp} / {S} is an employee of {emp}
2 {S} does not work at {emp} any more / {S} is a former {emp} employee / {S} is gone from {emp}
2> {S} left {emp} / {S} handed in {his} notice and had {his} last day at {emp} on {wd} / {emp} let {S} go / {S} quit {emp}
e {S} joined {emp} in {year} / {S} was hired by {emp} in {year} / {S} interviewed at {emp} on a {wd}
h {S} has thought about leaving {emp} one day
k {S}'s desk was by the window / {emp} has an office in {city}
L people|@p
1 {S} is on parental leave / {S} is away looking after the baby / {S} is off work with a newborn
2 {S} is back at work after the baby / {S} has returned from parental leave / {S}'s parental leave is over
2> {S} came back from parental leave on {wd}
e {S}'s baby was born in {mon} / {S} told the team about the baby in {mon}
h {S} expects to be back in {mon2}
k {p} is close to {S} / {S} works in {team}
L people|@p
1 {S} is a candidate for the {role} job / {S} is in the running for the {role} post / {S} has applied to be our {role} and awaits an answer
2 {S} is our new {role} / {S} holds the {role} job here / the {role} post is {S}'s
2> we hired {S} as {role} / {S} accepted our offer and started as {role}
3 {S} did not get the {role} job / {S} is out of the race for the {role} post
3> we turned {S} down for the {role} post / {S} withdrew from the {role} selection
e {S} had a first interview on {wd} / {S} sent {his} CV in {mon}
k {S} comes from {city} / {p} knows {S} from school
L people|@p
1 {S} is on probation / {S} is still in {his} trial period / {S}'s probation is running
2 {S} has a permanent contract / {S} is permanent staff / {S} passed probation
2> {S} was made permanent / {p} confirmed {S} after the trial period
e {S} started in {mon} / {S} joined {team} in {mon}
h {S}'s probation should end on {date}
k {S} sits next to {p}
L people|@p
1 {S} is a junior in {team} / {S} is the most junior person in {team} / {S} has a junior title in {team}
2 {S} leads {team} / {S} is head of {team} / {S} is in charge of {team}
2> {S} was promoted to lead of {team} / {S} took over as head of {team}
e {S} joined {team} in {year} / {S} was recommended by {p}
h {S} hopes to lead a group one day
k {S} lives in {city} / {S} trained as a teacher
L people|the {role} position;the {role} vacancy
1 {S} is open / {S} is vacant / we are looking for someone for {S} / ~{S}: unfilled
2 {S} is filled / {S} has been taken / ~{S}: filled / there is somebody in {S}
2> {p} got {S} / we closed {S} with {p}
e {S} was advertised in {mon} / {S} was created in {year}
h {S} may be filled by {mon2} / there are two candidates for {S}
k {S} is based in {city} / {S} pays well
L people|@p
1 {S} is single / {S} has no partner / {S} is not in a relationship
2 {S} is in a relationship and not married / {S} has a partner but no wedding ring
2> {S} got together with {p} / {S} and {p} are a couple
3 {S} is married / {S} has a spouse / {S} is wearing a wedding ring since {mon}
3> {S} and {p} tied the knot / {S} married {p} in {mon}
e {S} met {p} in {city} in {year} / {S} went to a wedding in {mon}
k {S} has a sister in {city2}
L people|@p
1 {S} is engaged to {p} / {S} and {p} are engaged and not yet married / {S} is {p}'s fiancé
2 {S} is married to {p} / {S} and {p} are husband and wife / {p} is {S}'s spouse
2> {S} and {p} got married on {date} / {S} wed {p} at the town hall
3 the engagement of {S} and {p} is off / {S} and {p} are not a couple any more
3> {S} broke up with {p} / {S} and {p} called off the wedding and split
e {S} proposed to {p} in {city} / {S} met {p} at university
h {S} and {p} want to marry in {mon}
k {p} is a musician / {S} is older than {p}
L people|@p
1 {S} is married to {p} / {p} is {S}'s spouse / {S} and {p} are a married couple
2 {S} is divorced from {p} / {p} is {S}'s ex / {S}'s marriage to {p} is over
2> {S} and {p} got divorced / the divorce of {S} and {p} went through
e {S} and {p} met in {year} / the wedding of {S} and {p} was in {city}
k {S} and {p} have {sm} children / {p} works at {emp}
L people|@p
1 {S} is pregnant / {S} is expecting a baby / {S} is going to have a child
2 {S}'s baby is here / {S} is the parent of a newborn
2> {S} gave birth on {wd} / {S} had a healthy girl on {date}
e {S} told the family the news in {mon} / {S} moved to {city} last year
h {S} would like to call the child {p}
F fem
L people|@p
1 {S} and {p} are not on speaking terms / {S} refuses to talk to {p} / {S} and {p} have fallen out
2 {S} and {p} are friends again / {S} and {p} get on well / {S} is on good terms with {p}
2> {S} made peace with {p} / {S} and {p} made up
e {S} and {p} went to school together / {S} met {p} in {city}
k {p} lives in {city2} / {S} is taller than {p}
L people|@p
1 {S} is an apprentice {trade} / {S} is still training to be a {trade} / {S} has not finished {his} {trade} training
2 {S} is a fully qualified {trade} / {S} has {his} {trade} papers / {S} is a certified {trade}
2> {S} passed the final {trade} exam / {S} completed {his} apprenticeship as a {trade}
e {S} began the {trade} training in {year} / {S}'s uncle was a {trade}
h {S} hopes to qualify in {mon}
L people|@p
1 {S} is working / {S} has not retired / {S} is still in working life
2 {S} is retired / {S} is a pensioner / {S} has stopped working and draws a pension
2> {S} retired on {date} / {S} went into retirement
e {S} turned sixty in {mon} / {S} started {his} first job in {year}
h {S} talks of retiring in a few years
L people|@p
1 {S} smokes / {S} is a smoker / {S} gets through a pack a day
2 {S} does not smoke / {S} is a non-smoker / {S} has not touched a cigarette in months
2> {S} gave up smoking / {S} kicked the cigarettes / {S} quit the cigarettes for good
e {S} lit {his} first cigarette at {n}
h {S} keeps saying that stopping would be wise
k {S} likes long walks
N18
L people|@p
1 {S} drinks alcohol / {S} enjoys wine with dinner most evenings / {S} has a beer after work as a rule
2 {S} does not drink / {S} is teetotal / {S} has been sober for a year / not a drop of alcohol passes {S}'s lips
2> {S} gave up drinking / {S} went dry
e {S} was at the brewery tour in {mon} / {S} grew up on a vineyard
L people|@p
1 {S} cannot drive / {S} has no driving licence / {S} is not allowed to drive
2 {S} has a driving licence / {S} is licensed to drive / {S} drives legally
2> {S} passed the driving test / {S} got {his} licence on {wd}
e {S} had a first driving lesson in {mon} / {S}'s driving instructor is called {p}
h {S} takes the driving test on {wd}
L people|@p
1 {S} is a beginner in {lang} / {S} knows only a few words of {lang} / {S}'s {lang} is poor
2 {S} is fluent in {lang} / {S} speaks perfect {lang} / {S} has an excellent command of {lang}
e {S} started a {lang} course in {mon} / {S} bought a {lang} dictionary
h {S} dreams of speaking {lang} like a native
k {S} also speaks some {lang2}
L people|@p
1 {S} is a citizen of one country only / {S} has a single passport / {S} holds just one nationality
2 {S} has dual citizenship / {S} holds two passports / {S} has two nationalities
2> {S} was granted a second citizenship / {S} picked up a second passport
e {S} was born in {city} / {S} filed papers at the consulate in {mon}
L home|@p
1 {S} rents {his} flat / {S} is a tenant / {S} pays rent for {his} place / {S} does not own the place {he} lives in
2 {S} owns {his} flat / {S} is a homeowner / {S} lives in {his} own property
2> {S} bought {his} flat from the landlord / {S} purchased the place {he} had been living in
e {S} moved into the flat in {year} / {S} painted the flat in {mon}
h {S} dreams of owning a place one day / {S} is talking to the bank about buying
k {S}'s flat is on the {sm} floor
NOK
L home|@p
1 {S}'s house is on the market / {S} is trying to sell {his} house / {S}'s house is up for sale / ~{S}'s house: for sale
2 {S}'s house is sold / {S} has found a buyer and signed the house over / {S}'s house belongs to someone else
2> {S} sold {his} house / the sale of {S}'s house closed on {date}
3 {S} is keeping {his} house after all / {S}'s house is not for sale
3> {S} took {his} house off the market
e {S}'s house was built in {year} / {S} bought the house in {year}
k {S}'s house has {sm} bedrooms / {p} lives opposite
L home|@p
1 {S} lives alone / {S} has the flat to {him}self / nobody shares {S}'s flat
2 {S} shares {his} flat / {S} lives with a flatmate / {S} has a flatmate called {p}
2> {p} moved in with {S} / {S} took in a flatmate
e {S} moved to {city} in {year} / {S} had friends over for dinner on {wd}
h {S} has been thinking about taking a flatmate
L home|the {room} light;the lamp in the {room}
1 {S} is broken / {S} does not work / {S} stays dark
2 {S} works / {S} is fixed / {S} shines again
2> {p} repaired {S} / {S} got a new bulb and works
e {S} was bought in {city} / {S} was a present from {p2}
h {p} wants to repair {S} at the weekend
k {S} is made of brass / {S} hangs above the table
L home|the {room} renovation
1 {S} is being planned / {S} has not started / no tool has been lifted for {S}
2 {S} is in full swing / the builders are busy with {S} / {S} is going on right now
3 {S} is finished / {S} is done and dusted / the builders are out, {S} is complete
3> the last tile was laid and {S} was signed off / {p} wrapped up {S}
e {p2} drew the plans for {S} in {mon} / the quote for {S} arrived on {wd}
k {S} is paid from savings / {S} includes new sockets
L home|the {appl}
1 {S} is broken / {S} is out of order / {S} won't start / ~{S}: kaputt
2 {S} is working / {S} runs fine / there is nothing wrong with {S}
2> {p} fixed {S} / {S} was repaired on {wd}
3 {S} has been replaced by a new one / we have a brand-new machine where {S} stood
3> we threw {S} out and got another one
e {S} was bought in {year} / {S} was delivered on {wd2}
h the technician may look at {S} on {wd}
k {S} stands in the {room} / {S} came with a two-year warranty
L home|the {room}
1 {S} is a mess / {S} needs tidying / there are boxes all over {S}
2 {S} is tidy / {S} is spick and span / everything is in its place in {S}
2> {p} tidied {S} / {S} was cleared up on {wd}
e {S} was painted in {mon} / we measured {S} on {wd2}
k {S} has two windows / {S} faces north
L home|the {street} flat;the flat in {street}
1 {S} is empty / nobody lives in {S} / {S} stands vacant
2 {S} is occupied / {S} is let / somebody lives in {S}
2> {p} moved into {S} / {S} was let to {p}
e {S} was renovated in {mon} / {p2} inherited {S} in {year}
h {S} could be let by {mon2}
k {S} has a balcony / {S} is on the {sm} floor
L home|the heating in {street};{street}'s heating
1 {S} runs on gas / {S} is gas-fired / gas keeps {S} going
2 {S} runs on a heat pump / {S} is a heat pump / a heat pump does the work in {S}
2> {S} was switched from gas to a heat pump / {p} had the gas boiler ripped out for a heat pump at {street}
e {S} was serviced in {mon} / {S} was off for an hour on {wd}
k {S} is controlled by phone / {p} looks after {S}
L home|the {room} door
1 {S} is unlocked / {S} stands open day and night / anyone can walk through {S}
2 {S} is locked / {S} is kept shut with a key / {S} cannot be opened without a key
2> {p} locked {S} / {S} got a lock
e {S} was painted in {mon} / {S} was hung by {p2}
k {S} is made of oak / {S} squeaks
L home|the wifi in the {room};the {room} wifi
1 {S} is weak / {S} keeps dropping / you can hardly get online in the {room}
2 {S} is strong / {S} never drops / the signal in the {room} is excellent
2> {p} put up a repeater and {S} got fast
e the router was bought in {year} / {p2} chose the wifi name
k the wifi password is on the fridge
L home|the garden at {street}
1 {S} is overgrown / weeds cover {S} / nobody has cut the grass in {S} for months
2 {S} is well kept / {S} is neatly mown / there is hardly a weed in {S}
2> {p} weeded and mowed {S}
e {S} was laid out in {year} / the apple tree in {S} was planted in {mon}
k {S} has a pond / {S} faces south
L home|the parcel from {vendor};{vendor}'s parcel
1 {S} is on its way / {S} is with the courier and should reach us soon / ~{S}: in transit
2 {S} is here / {S} has arrived / ~{S}: delivered
2> the courier dropped off {S} / {p} picked up {S} at the depot
3 {S} is lost / nobody can find {S} / the courier has lost {S}
e {S} was ordered on {date} / {S} was sent on {wd}
h {S} should come on {wd2}
k {S} contains curtains / {S} cost {money}
L cust|{cust}
1 {S} is on a free trial / {S} is trying us out for free / {S} has a trial account / ~{S}: trial
2 {S} is a paying customer / {S} has a paid subscription / ~{S}: paid plan / we bill {S} every month
2> {S} converted to a paid plan / {S} signed up for the yearly plan
3 {S}'s trial has lapsed / {S} has no account with us any more / ~{S}: trial expired, did not convert
3> {S} let the trial run out / {S}'s trial ended without an order
e {S} first got in touch in {mon} / {p} gave {S} a demo on {wd}
h {p2} hopes {S} will buy / {S} could sign by {mon2}
k {S} has {n} employees / {S} is based in {city}
L cust|{cust}
1 {S} is a prospect / {S} has not signed yet / we are still courting {S} / ~{S}: lead
2 {S} is a customer / {S} is under contract / ~{S}: signed
2> {S} signed / {p} closed the deal with {S} / {S} came on board
3 {S} is lost to us / {S} is out of the pipeline / ~{S}: lost
3> {S} went with a competitor / {S} told us no
e {p2} met {S} at a fair in {city} / {S} asked for a quote in {mon}
h {p} thinks {S} will sign in {mon2}
k {S} makes furniture / {S}'s buyer is called {p2}
L cust|{cust}
1 {S} is a customer of ours / {S} subscribes to our product / {S} pays us every month
2 {S} has churned / {S} is not a customer any more / {S} is an ex-customer
2> {S} cancelled its subscription / {S} terminated the contract / we lost {S}
e {S} signed up in {year} / {S} was won by {p}
h {S} grumbled about leaving
k {S} is in retail / {S} has an office in {city}
L cust|{cust}
1 {S} is unhappy with us / {S} is annoyed about our support / there are bad feelings at {S} about our work
2 {S} is delighted with us / {S} is full of praise for our work / {S} has nothing but kind words for us
2> {p} won {S} over / {S}'s mood turned and it is a fan again
e {S} had an outage in {mon} / {S} spoke to {p2} on {wd}
k {S} is a mid-sized firm / {S}'s contact is {p2}
L cust|{cust}
1 {S} owes us money / {S} has an unpaid invoice / {S}'s invoice is overdue / ~{S}: payment outstanding
2 {S} has paid everything / {S} owes us nothing / {S}'s account is settled / ~{S}: paid in full
2> {S} settled its invoice / the money from {S} came in on {wd}
e we invoiced {S} on {date} / {S} was sent a reminder in {mon}
h {S} promised to pay by {wd}
k {S} pays by bank transfer / {S}'s accounts clerk is {p}
L cust|the {cust} contract;{cust}'s contract
1 {S} is unsigned / {S} lies with their lawyers / {S} is under negotiation / ~{S}: awaiting signature
2 {S} is signed and in force / {S} is in force / {S} is valid, both sides have signed it
2> {p} countersigned {S} / {S} was signed on {date}
3 {S} has been terminated / {S} is void / {S} ended early
3> {cust} pulled out of {S} / {S} was cancelled by mutual consent
e the first draft of {S} was sent in {mon} / {p2} wrote {S}
k {S} has {n} pages / {S} covers two sites
L cust|the complaint from {cust};{cust}'s complaint
1 {S} is open / {S} is unanswered / nobody has dealt with {S}
2 {S} is settled / {S} is closed / {S} has been dealt with
2> {p} resolved {S} with a refund / {cust} withdrew the complaint
e {S} came in on {wd} / {S} was about a late delivery
h {p} means to answer {S} on {wd2}
L cust|the refund for {cust};{cust}'s refund
1 {S} is pending / {S} has not been paid out / {cust} is waiting for {S}
2 {S} is paid / {S} is on {cust}'s account / {S} went out
2> {p} released {S} / {S} was transferred on {date}
3 {S} is refused / {cust} gets no refund
3> {p} turned down {S}
e {S} was requested on {wd} / {cust} asked for {S} in writing
k {S} amounts to {money}
L cust|{cust}'s support ticket;the support ticket from {cust}
1 {S} is with first-line support / first line is handling {S} / {S} has not been escalated
2 {S} is escalated / {S} is on the engineers' desk / second line has {S}
2> {p} escalated {S} / first line passed {S} up to engineering
e {S} was opened on {wd} / {S} came by mail
k {S} is about slow reports
L res|the paper on {topic};the {topic} paper
1 {S} is under review / {S} is with the referees / we wait for the verdict on {S} / ~{S}: submitted, no decision
2 {S} is accepted / the journal has said yes to {S} / ~{S}: accepted
2> the editors took {S} / {S} got accepted on {date}
3 {S} is rejected / the journal does not want {S} / ~{S}: rejected
3> the referees turned {S} down / {S} was declined by the editors
e {S} was submitted in {mon} / {p} wrote the first draft of {S}
h {p} thinks {S} has a good chance / a decision on {S} could come in {mon2}
k {S} has {sm} authors / {S} is {n} pages long
L res|the {topic} study
1 {S} is recruiting / {S} is looking for participants / you can still enrol in {S}
2 {S} is full / enrolment for {S} is closed / {S} takes no more participants
2> the last slot in {S} was taken / {p} closed recruitment for {S}
e {S} got ethics approval in {mon} / {S} was funded in {year}
k {S} is run by {p2} / {S} takes place in {city}
L res|the {topic} data
1 {S} is being collected / {S} is still coming in / we do not have all of {S} yet
2 {S} is complete / collection of {S} is over / we have all of {S}
2> {p} gathered the last of {S} / the final batch of {S} arrived
e the protocol for {S} was written in {year} / {p2} designed the form for {S}
k {S} is stored in {city} / {S} comes from {n} sites
L res|the grant for {topic};the {topic} grant
1 {S} is undecided / we have heard nothing about {S} / {S} is pending
2 {S} is ours / {S} has been awarded / we have {S} in the bag
2> the foundation gave us {S} / {S} was approved on {wd}
3 {S} is lost / we did not get {S}
3> {S} went to another lab / the foundation refused {S}
e we applied for {S} in {mon} / {p} wrote the application for {S}
h with luck {S} will come through
k {S} is worth {money} / {S} would run for three years
L res|the {topic} hypothesis
1 {S} is unproven / there is no evidence for {S} so far / {S} is untested
2 {S} is confirmed / the data bear {S} out / the experiment supports {S}
3 {S} is refuted / the data contradict {S} / {S} turned out false
e {S} was first stated by {p} / {S} goes back to a talk in {city}
h {p2} believes in {S}
L res|@p
1 {S} is a PhD student / {S} is still writing {his} thesis
2 {S} has a doctorate / {S} holds a PhD / {S} is a doctor of philosophy
2> {S} defended {his} thesis / {S} got the PhD in {mon}
3 {S} has dropped out of the PhD / {S} is no doctoral student any more and has no degree
3> {S} abandoned the thesis and left academia
e {S} began the thesis in {year} / {S}'s supervisor is {p}
h {S} hopes to hand in by {mon}
L res|the {lab} microscope
1 {S} is free / nobody has booked {S} / {S} is available
2 {S} is booked / {S} is taken / you cannot have {S}, it is reserved
2> {p} reserved {S} / {S} was booked by {p}
e {S} was installed in {year} / {S} was serviced in {mon}
k {S} stands in the basement / {S} cost {money}
L res|the {lab} freezer
1 {S} is at the right temperature / {S} holds its temperature / ~{S}: temperature OK
2 {S} is too warm / {S} has lost its cold / ~{S}: temperature alarm
2> {S} broke down and warmed up / an alarm went off because {S} got warm
e {S} was bought in {year} / {p} defrosted {S} in {mon}
k {S} holds {n} boxes
L travel|@p
1 {S} is waiting to hear about a visa / {S}'s visa is undecided / {S}'s visa application is being processed
2 {S} has a visa / {S}'s visa is in the passport / {S} holds a valid visa
2> {S}'s visa came through / the consulate issued {S}'s visa
3 {S}'s visa is refused / {S} does not get a visa
3> the consulate rejected {S}'s application / {S} was denied a visa
e {S} applied for the visa in {mon} / {S} had an appointment at the consulate on {wd}
h {S} would fly to {city} as soon as the visa is there
L travel|the {city} trip;the trip to {city}
1 {S} is a live idea, not booked so far / we are still thinking about {S} / {S} is planned, but nothing has been booked
2 {S} is booked / flights and hotel for {S} are fixed / ~{S}: booked and paid
2> {p} booked {S} / we paid for {S} on {wd}
3 {S} is off / {S} is not taking place / {S} has been scrapped
3> {p} cancelled {S} / we called {S} off
e {p2} suggested {S} in {mon} / we talked about {S} at dinner
h we might book {S} in {mon2}
k {S} would be by train / {S} takes {sm} days
L travel|flight {fl}
1 {S} is on time / {S} is running to schedule / ~{S}: on time
2 {S} is delayed / {S} is running late / ~{S}: delayed
2> the airline pushed {S} back by {sm} hours
3 {S} is cancelled / {S} is not going / ~{S}: cancelled
3> the airline scrapped {S} / {S} was struck from the board
e {p} booked {S} in {mon} / {p} paid {money} for {S}
k {S} leaves from terminal {n} / {S} serves a hot meal
L travel|@p
1 {S} is in {city} / {S} is staying in {city} / you will find {S} in {city} these days
2 {S} is back home from {city} / {S} is no longer in {city} / {S} has returned from {city}
2> {S} flew home from {city} / {S} left {city} on {wd}
e {S} flew to {city} on {wd2} / {S} booked the {city} hotel in {mon}
h {S} means to stay until {date}
k {S} liked the food in {city}
L travel|the room at {hotel};{hotel}'s room for us
1 {S} is only held for us, not confirmed / {S} is unconfirmed / we have no confirmation for {S}
2 {S} is confirmed / the hotel has confirmed {S} / ~{S}: confirmed
2> {p} got the confirmation for {S}
3 {S} is gone / somebody else got {S} / {S} has been cancelled
e {p2} phoned about {S} on {wd} / {S} was requested in {mon}
k {S} has a sea view / {S} costs {money} a night
L travel|{p}'s suitcase
1 {S} is missing / {S} has not turned up / the airline cannot find {S}
2 {S} is back / {S} has turned up / {p} has the suitcase again
2> the airline brought {S} to the door / {S} was found in {city}
e {S} was checked in at {city2} / {S} was a present
k {S} is red / {S} weighs {n} kilos
L travel|the road to {city}
1 {S} is closed / {S} is blocked by snow / you cannot get through on {S}
2 {S} is open / {S} is clear / traffic flows on {S}
2> {S} was reopened at {time} / the ploughs cleared {S}
e {S} was built in {year} / {S} was resurfaced in {mon}
h {S} may reopen on {wd}
k {S} has two lanes
L travel|the {city} ferry
1 {S} runs daily / there is a sailing of {S} every day / {S} is in service
2 {S} is suspended / {S} is not sailing / there is no {city} ferry at the moment
2> {S} was taken out of service / the operator stopped {S}
e {S} first sailed in {year} / {p} took {S} in {mon}
k {S} takes cars / {S} has a restaurant
L travel|{p}'s passport
1 {S} is valid / {S} is good for years / there is nothing wrong with {S}
2 {S} has expired / {S} is out of date / {S} is no longer valid
2> {S} ran out in {mon}
e {S} was issued in {city} / {S} was stamped in {city2}
k {S} is in the drawer
L health|@p
1 {S} is ill / {S} has the flu / {S} is in bed with a fever
2 {S} is healthy / {S} is over the flu / {S} is fit again
2> {S} recovered / {S} shook off the flu / {S} got well
e {S} had a flu jab in {mon} / {S} saw the doctor on {wd}
h {S} hopes to be fit by {wd2}
L health|@p
1 {S} is in hospital / {S} is an inpatient / {S} is on the ward
2 {S} is out of hospital / {S} is home from hospital / {S} has been discharged
2> {S} was discharged on {wd} / the hospital sent {S} home
e {S} was admitted on {date} / {S} had an X-ray on {wd2}
h the doctors may let {S} go on {wd}
k {S} shared jokes with the nurses
L health|@p
1 {S}'s arm is in a cast / {S} wears a plaster cast / {S}'s broken arm is still healing
2 {S}'s arm has healed / {S} has the full use of {his} arm again / {S}'s cast is off
2> the doctor took {S}'s cast off on {wd}
e {S} broke {his} arm in {mon} / {S} fell off a bike in {city}
k {S} is left-handed
L health|@p
1 {S} is on a waiting list for surgery / {S} is waiting for {his} operation / {S}'s operation is still to come
2 {S} has had the operation / {S}'s surgery is behind {him} / {S} has been operated on
2> {S} was operated on on {wd} / the surgeon did {S}'s operation this morning
3 {S} needs no operation after all / {S}'s surgery is off
3> the doctors struck {S}'s operation off the list
e {S} had a scan in {mon} / {S} was referred by {p}
h {S}'s operation may be on {date}
L health|@p
1 {S} takes {med} / {S} is on {med} / {S} swallows a {med} tablet every day
2 {S} does not take {med} any more / {S} is off {med} / {S} has stopped {med}
2> the doctor took {S} off {med} / {S} came off {med}
e {S} was first prescribed {med} in {mon} / {S} asked about {med} on {wd}
h {S} would rather not take tablets
k {S} takes {med2} too
L health|@p
1 {S} is unvaccinated / {S} has not had a jab / {S} still needs {his} vaccination
2 {S} is vaccinated / {S} has had {his} jab / {S} is fully protected by the vaccine
2> {S} got {his} shot on {wd}
e {S} booked a slot at the clinic / {S} asked {p} about the vaccine
h {S} has an appointment for the jab on {wd2}
L health|{p}'s test result;the result of {p}'s test
1 {S} is outstanding / {S} is not back / we have no word on {S} / ~{S}: pending
2 {S} is negative / ~{S}: negative / the lab found nothing, {S} is clear
2> {S} came back negative
3 {S} is positive / ~{S}: positive / the lab found something, {S} is bad news
3> {S} came back positive
e the test was done on {wd} / the sample went to {city}
h {S} may come on {wd2}
L health|@p
1 {S} is overweight / {S} weighs more than is good for {him} / {S} carries too many kilos
2 {S} has a healthy weight / {S} is slim / {S} has reached {his} ideal weight
2> {S} lost all the extra kilos / {S} slimmed down
e {S} joined a gym in {mon} / {S} bought new scales
k {S} is 1.75 m tall
L health|the {clinic} clinic
1 {S} takes new patients / {S} is accepting patients / you can register at {S}
2 {S} takes no new patients / {S} is full / you cannot register at {S}
2> {S} closed its list / {S} stopped taking people on
e {S} opened in {year} / {S} moved to {street} in {mon}
k {S} has a car park / {p} works at {S}
L health|@p
1 {S} is training for the marathon / {S} is fit and runs every day / {S} runs without any trouble
2 {S} is injured and cannot run / {S} is not able to run because of a bad knee
2> {S} tore a ligament and had to stop running / {S} hurt {his} knee and is out
e {S} ran a half marathon in {mon} / {S} signed up with {p}
k {S} uses a running app
L health|{p}'s therapy
1 {S} is going on / {S} is still running / {p} goes to therapy every week
2 {S} is over / {S} has come to an end / {p} has finished therapy
2> {p} had the last therapy session on {wd}
e {S} was paid by the insurance from the start / {p} found the therapist through a friend
k the therapist's room is in {street}
L fin|invoice {num};the invoice {num}
1 {S} is unpaid / {S} is outstanding / no money has come in for {S} / ~{S}: open
2 {S} is paid / {S} has been settled / ~{S}: paid
2> the customer paid {S} / {S} was cleared on {wd}
e {S} was sent on {date} / {p2} drew up {S}
h {S} should be paid by {date2}
k {S} is for {money} / {S} lists {sm} items
L fin|the loan from {bank};{bank}'s loan
1 {S} is being paid back / we still owe money on {S} / {S} has years to run
2 {S} is repaid in full / we owe nothing on {S} / {S} is off our books
2> we paid the last instalment of {S} / {p} cleared {S}
e {S} was taken out in {year} / {p2} signed for {S}
k {S} has a fixed rate / {S} financed the van
L fin|the budget for {topic};the {topic} budget
1 {S} is awaiting approval / {S} has not been approved / ~{S}: under discussion
2 {S} is approved / {S} has the board's blessing / ~{S}: approved
2> the board passed {S} / {p} signed {S} off
3 {S} is rejected / the board has refused {S}
3> the board threw {S} out / {p} turned {S} down
e {S} was drawn up in {mon} / {p2} asked for more money for {S} in {mon}
k {S} is kept in a spreadsheet / {S} runs for a calendar year
L fin|@p
1 {S} is in debt / {S} owes the bank money / {S} has debts to pay off
2 {S} is debt-free / {S} owes nobody anything / {S} has no debts
2> {S} paid off the last of {his} debts
e {S} took out a loan in {year} / {S} met a debt adviser on {wd}
h {S} dreams of being free of debts
L fin|@p
1 {S} has an account at {bank} / {S} banks with {bank} / {bank} keeps {S}'s account
2 {S} has no account at {bank} / {S} is not a {bank} client any more
2> {S} closed the account at {bank} / {S} left {bank}
e {S} opened {his} first account in {year} / {S} was in the {bank} branch on {wd}
h {S} toys with the idea of changing banks
L fin|the tax return for {year}
1 {S} is not filed / {S} is still on the desk / {p} has yet to hand in {S}
2 {S} is filed / {S} is with the tax office / {p} has handed in {S}
2> {p} submitted {S} on {wd}
e {p} collected receipts for {S} in {mon} / {p2} offered to help with {S}
h {p} wants to file {S} by {date}
L fin|the {topic} fundraiser
1 {S} is short of its goal / {S} has not reached its target / money is still missing for {S}
2 {S} has met its goal / {S} has all the money it needs / ~{S}: target reached
2> the last donation took {S} over the line
e {S} was started by {p} / {S} began in {mon}
h {S} could reach its goal by {mon2}
L fin|the insurance claim for the {veh};the {veh} claim
1 {S} is being examined / {S} is undecided / the insurer has not ruled on {S}
2 {S} is accepted / the insurer pays for {S} / ~{S}: granted
2> the insurer approved {S}
3 {S} is denied / the insurer pays nothing for {S} / ~{S}: rejected
3> the insurer turned {S} down
e {S} was filed on {date} / {p} took photos for {S}
k {S} is about a dent / {S} has the number {num}
L fin|the card of {p};{p}'s card
1 {S} is blocked / {S} is frozen / no shop accepts {S}
2 {S} is active / {S} works / {p} can pay with the card
2> the bank unblocked {S} / {S} was reactivated
e {S} was issued in {mon} / {S} arrived by post
k {S} is gold / {S} has a chip
L log|shipment {num};consignment {num}
1 {S} is in the warehouse / {S} has not left yet / ~{S}: awaiting dispatch
2 {S} is on the road / {S} is in transit / ~{S}: dispatched, on its way
2> {S} left the depot at {time} / a lorry picked up {S}
3 {S} is at the customer's / {S} has been delivered / ~{S}: delivered
3> {S} reached {city} / the driver handed over {S} on {wd}
e {S} was packed on {wd2} / {p} labelled {S} / the order for {S} came in {mon}
k {S} weighs {n} kg / {S} contains glass
L log|shipment {num}
1 {S} is held at customs / customs will not release {S} / {S} is stuck at the border
2 {S} has cleared customs / {S} is through customs / customs has nothing more to do with {S}
2> customs released {S} on {wd}
e {S} was loaded in {city} / {p} filled in the papers for {S}
h {S} could clear customs by {wd2}
k {S} has {n} pallets
L log|the {item}
1 {S} is in stock / {S} is available / we have {S} on the shelf / ~{S}: in stock
2 {S} is sold out / {S} is out of stock / there is none left of {S} / ~{S}: 0 left
2> the last piece of {S} was sold / we ran out of {S}
e {S} was launched in {year} / {S} was in the leaflet in {mon}
k {S} costs {money} / {S} comes in blue / {vendor} makes {S}
L log|the order with {vendor};our {vendor} order
1 {S} is a draft / {S} has not been placed / ~{S}: not sent
2 {S} is placed / {S} is confirmed by the supplier
2> {p} placed {S} / {S} was sent off on {wd}
3 {S} is cancelled / {S} is void, nothing will come
3> {p} cancelled {S} / {vendor} backed out of {S}
e {p2} asked {vendor} for prices in {mon}
k {S} contains {n} boxes / {S} is worth {money}
L log|dock {n} in {city}
1 {S} is occupied / there is a lorry at {S} / {S} is taken
2 {S} is free / {S} is empty / nothing stands at {S}
2> the lorry left {S}
e {S} was built in {year} / {p} swept {S} on {wd}
L log|the {veh};our {veh}
1 {S} is in the garage for repairs / {S} is at the workshop / {S} is being repaired
2 {S} is back on the road / {S} is roadworthy again / {S} runs fine
2> the workshop returned {S} / {p} picked up {S} from the garage
3 {S} is scrapped / {S} is written off
3> {S} went to the junkyard
e {S} was bought in {year} / {S} had an accident in {mon}
k {S} is white / {S} has {sm} seats
L log|the contract with {vendor};{vendor}'s contract
1 {S} is running / {S} is in force / {vendor} is under contract with us
2 {S} has expired / {S} is over / {vendor} has no contract with us
2> {S} ran out / we let {S} lapse / {p} gave notice on {S}
e {S} was signed in {year} / {p2} negotiated {S}
h {p} is thinking about ending {S}
k {S} is filed under V / {S} has {n} pages
L log|the {city} warehouse
1 {S} is full / there is no space left in {S} / not one more pallet fits into {S}
2 {S} has plenty of space / {S} is half empty / there is lots of room in {S}
2> {p} cleared out half of {S}
e {S} was opened in {year} / {p2} visited {S} on {wd}
k {S} has {sm} docks / {S} is heated
L comm|the petition about {topic};the {topic} petition
1 {S} is collecting signatures / {S} is open / you can sign {S}
2 {S} is closed / nobody can sign {S} any more
2> {p} handed {S} in / {S} was submitted to the council
e {S} was started in {mon} / {p2} wrote the text of {S}
k {S} has {num} signatures / {S} is online
L comm|the {street} playground
1 {S} is closed / {S} is fenced off / children cannot use {S}
2 {S} is open / children play at {S} / {S} is accessible
2> {S} was reopened on {wd} / the mayor opened {S}
e {S} was built in {year} / the swings at {S} were a donation
h {S} should open in {mon}
k {S} has a slide / {S} is next to the school
L comm|the {street} residents' association;the {street} association
1 {S} has no chair / the chair of {S} is vacant / nobody heads {S}
2 {S} is chaired by {p} / {p} is the chair of {S} / {S} has a chair, {p}
2> {S} elected {p} as chair / {p} became chair of {S}
e {S} was founded in {year} / {S} met on {wd}
h {p2} might stand for chair of {S}
k {S} has {n} members
L comm|the proposal on {topic};the {topic} proposal
1 {S} is being discussed / {S} is undecided / no vote has been taken on {S}
2 {S} is adopted / {S} has been passed / {S} has a majority behind it
2> the meeting voted for {S} / {S} went through
3 {S} is rejected / {S} has been voted down
3> a majority voted against {S} / {S} was defeated
e {S} was tabled by {p} / {S} was first read in {mon}
h {S} might pass on {wd}
k {S} fits on one page
L comm|@p
1 {S} is a volunteer at the food bank / {S} helps out at the food bank / {S} gives {his} time to the food bank
2 {S} does not volunteer at the food bank any more / {S} has stopped helping at the food bank
2> {S} left the food bank team
e {S} first came to the food bank in {year} / {S} brought {p} along on {wd}
k {S} has a van / {S} lives in {street}
L comm|@p
1 {S} is a member of {club} / {S} belongs to {club} / {S} is on the members' list of {club}
2 {S} is not a member of {club} / {S} is an ex-member of {club} / {S} does not belong to {club}
2> {S} resigned from {club} / {S} was thrown out of {club} / {S}'s membership of {club} lapsed
e {S} joined {club} in {year} / {S} played at {club}'s party
h {S} has talked about leaving {club}
k {club} has {n} members / {p} is treasurer of {club}
L comm|the {street} library
1 {S} is threatened with closure but open / {S} is open to readers / {S} lends books
2 {S} is closed for good / {S} lends no books any more / {S} does not exist any more
2> the council shut {S} / {S} was shut down in {mon}
e {S} was built in {year} / {p} read at {S} in {mon}
k {S} has a café / {S} is run by {p2}
L sport|@p
1 {S} is on the bench / {S} is a substitute / {S} does not make the first team
2 {S} is in the starting line-up / {S} is a regular starter / {S} plays from the first minute
2> the coach moved {S} into the starting team
e {S} joined {club} in {mon} / {S} scored in {mon}
h {S} hopes to start on {wd}
L sport|@p
1 {S} plays for {club} / {S} is a player of {club} / {S} wears the shirt of {club}
2 {S} does not play for {club} any more / {S} has left {club} / {S} is a former player of {club}
2> {S} was transferred away from {club} / {club} released {S}
e {S} made {his} debut for {club} in {year} / {S} scored for {club} in {mon}
h {S} has an offer from another club
k {S} wears number {n}
L sport|{club}
1 {S} is top of the table / {S} leads the league / nobody is above {S} in the table
2 {S} is bottom of the table / {S} is last in the league / nobody is below {S} in the table
e {S} was founded in {year} / {S} drew on {wd}
h {S} wants to be champion
k {S} trains on {wd2} / {S} is coached by {p}
L sport|{club}
1 {S} has no coach / {S} is without a coach / {S} is looking for a coach
2 {S} is coached by {p} / {p} coaches {S} / {p} is the coach of {S}
2> {S} appointed {p} as coach / {p} took over as coach of {S}
e {S} lost on {wd} / {S} played in {city} in {mon}
k {S} plays in green
L sport|the match against {club};the {club} match
1 {S} is still to be played / {S} is coming up / ~{S}: not played yet
2 {S} is over / {S} has been played / ~{S}: finished
2> {S} ended in a draw / we won {S}
3 {S} is called off / {S} will not take place
3> the referee cancelled {S} because of the pitch / {S} was abandoned for snow
e {S} was announced in {mon} / tickets for {S} went on sale in {mon}
k {S} costs {sm} euros to watch / {p} is the referee for {S}
L sport|the {sporth} court;our {sporth} court
1 {S} is free at {time} / nobody has booked {S} at {time} / you can have {S} at {time}
2 {S} is booked at {time} / {S} is taken at {time} / there is no getting {S} at {time}
2> {p} booked {S} for {time}
e {S} was relaid in {year} / {p2} fell on {S} in {mon}
k {S} has floodlights
L sport|the registration for the {city} run
1 {S} is open / you can sign up, {S} is running / ~{S}: open
2 {S} is closed / you cannot sign up, {S} is over / ~{S}: closed
2> {S} closed at midnight / {S} filled up
3 {S} has not opened yet / {S} is yet to start
e {p} set up {S} / {S} was advertised in {mon}
k {S} costs {n} euros / {S} is online only
L school|@p
1 {S} is in primary school / {S} goes to primary school / {S} is a primary pupil
2 {S} is at university / {S} is a student at university / {S} goes to university
2> {S} enrolled at the university of {city}
3 {S} has finished {his} education / {S} is out of school and works
e {S} was born in {year} / {S} learned to swim in {mon}
k {S} likes drawing
L school|@p
1 {S} is failing {subj} / {S} has bad marks in {subj} / {S} is the worst in {subj}
2 {S} is doing well in {subj} / {S} has top marks in {subj} / {S} is among the best in {subj}
e {S} changed schools in {mon} / {S} wrote a {subj} test on {wd}
h {S} hopes for a better mark in {subj}
k {S}'s {subj} teacher is {p}
L school|the {subj} exam
1 {S} is ungraded / {p} has not marked {S} / there are no results for {S} yet
2 {S} is graded / the results of {S} are out / {p} has marked {S}
2> {p} handed back {S} / the marks for {S} were put up on {wd}
e {S} was written on {date} / {S} took {sm} hours
h {p} wants to mark {S} by {wd2}
L school|the {subj} class
1 {S} has places left / you can still join {S} / {S} is not full
2 {S} is full / there is a waiting list for {S} / no places are left in {S}
2> the last place in {S} went to {p}
3 {S} is cancelled / {S} does not run
3> {S} was dropped for lack of pupils
e {S} was announced in {mon} / {p2} designed {S}
k {S} meets on {wd} / {S} is taught by {p2}
L school|@p
1 {S} has not handed in the {subj} essay / {S}'s {subj} essay is missing / {S} owes us the {subj} essay
2 {S} has handed in the {subj} essay / {S}'s {subj} essay is in / we have {S}'s {subj} essay
2> {S} turned in the {subj} essay on {wd}
e the {subj} essay was set in {mon} / {S} was absent on {wd2}
h {S} promises the {subj} essay for {wd}
L school|@p
1 {S} is undecided what to study / {S} has not picked a subject to study / {S} does not know what to study
2 {S} is enrolled in {subj} / {S} studies {subj} / {S} is a {subj} student
2> {S} signed up to study {subj}
e {S} left school in {mon} / {S} went to an open day in {city}
k {S} lives with {his} parents
L event|the {event}
1 {S} is on / {S} is going ahead / {S} will take place as planned / ~{S}: confirmed
2 {S} is off / {S} is cancelled / {S} will not happen / ~{S}: cancelled
2> {p} called off {S} / {S} was scrapped / we had to pull the plug on {S}
3 {S} is postponed without a new date / {S} is put back, date unknown
3> {p} postponed {S} indefinitely
e the invitations to {S} were designed by {p2} / {S} was announced in {mon}
k {S} has a budget of {money} / {S} is {p2}'s responsibility
L event|the {event}
1 there are tickets left for {S} / {S} is not sold out / you can still get into {S}
2 {S} is sold out / there are no tickets left for {S} / ~{S}: sold out
2> the last ticket for {S} was sold on {wd}
e ticket sales for {S} began in {mon} / {p} designed the ticket for {S}
k a ticket for {S} costs {n} euros / {S} starts at {time}
L event|the venue for the {event};the {event} venue
1 {S} is undecided / we have no venue for the {event} / {p} is looking for a venue for the {event}
2 {S} is fixed / {S} is booked / we have a venue for the {event}
2> {p} booked {S} / {p} signed for {S}
e {p2} looked at {sm} halls in {mon}
h {p} hopes to settle {S} by {wd}
k {S} must hold {n} people
L event|@p
1 {S} has not replied to the {event} invitation / we do not know whether {S} is coming to the {event} / ~{S}, {event}: no answer
2 {S} is coming to the {event} / {S} has said yes to the {event} / ~{S}, {event}: yes
2> {S} accepted the invitation to the {event}
3 {S} is not coming to the {event} / {S} has said no to the {event} / ~{S}, {event}: no / {S} is going to skip the {event}
3> {S} declined the invitation to the {event} / {S} sent {his} regrets for the {event}
e we invited {S} to the {event} on {date} / {S} was at the last party in {mon}
k {S} is a vegetarian / {S} lives near the venue
L event|the speaker for the {event};the {event} speaker
1 {S} is not found / we have no speaker for the {event} / ~{S}: TBD
2 {S} is {p} / {p} will speak at the {event} / ~{S}: {p}
2> {p} agreed to speak at the {event} / we won {p} as speaker for the {event}
e we wrote to {sm} people about the {event} in {mon}
k the {event} has a stage
L event|the {event} rehearsal
1 {S} is going on / they are in the middle of {S} / {S} is running
2 {S} is over / {S} has finished / everyone has gone home from {S}
2> {S} ended at {time}
e {S} began at {time2} / {p} opened {S} with a song
L food|the {food}
1 {S} is in the oven / {S} is still baking / {S} is not done
2 {S} is ready / {S} is done / you can eat {S}
2> {p} took {S} out of the oven
3 {S} is burnt / {S} is ruined
3> {p} left {S} in too long and it burned
e {p2} bought the things for {S} on {wd} / the recipe for {S} is from {city}
k {S} is for {sm} people
L food|{rest}
1 {S} is open / {S} serves guests / you can eat at {S}
2 {S} is shut / {S} has closed down / you cannot eat at {S} any more
2> {S} closed its doors for the last time / {S} went out of business
3 {S} has not opened yet / {S} is still getting ready for its first guests
e we heard about {S} in {mon} / {p} designed the logo of {S}
k {S} belongs to {p} / {S} is in {street}
L food|{rest}
1 {S} takes reservations / you can book a table at {S} / {S} accepts bookings
2 {S} takes no reservations / {S} is walk-in only / you cannot book a table at {S}
2> {S} stopped taking bookings
e {p} ate at {S} in {mon} / {S} opened in {year}
k {S} has {n} seats
L food|the {food}
1 {S} is on the menu / you can order {S} / {S} is being served
2 {S} is off the menu / you cannot order {S} any more / the kitchen does not make {S}
2> the chef took {S} off the menu / {S} was removed from the card
e {S} was a hit in {mon} / {p} came up with {S}
k {S} costs {n} euros
L auto|{p}'s car
1 {S} is for sale / {p} is trying to sell the car / ~{S}: on sale
2 {S} is sold / {p} has sold the car
2> somebody bought {S} on {wd} / {p} handed the car over to the buyer
3 {p} is keeping the car / {S} is not for sale
e {S} was bought in {year} / {p} washed the car on {wd2}
k {S} is red / {S} has done {num}0 km
L auto|{p}'s bike
1 {S} is stolen and missing / {S} has not been found / someone has {S}, the police are looking
2 {S} is back / {p} has the bike back
2> the police found {S} and returned it / {S} turned up in {street}
e {S} was stolen in {mon} / {p} reported the theft on {wd}
k {S} is blue
L law|the case against {cust};{cust}'s case
1 {S} is pending / the court has not ruled on {S} / {S} is before the court
2 {S} is settled / {S} is closed by a settlement
2> both sides settled {S} out of court
3 {S} is decided / the court has ruled in {S}
3> the judge handed down the verdict in {S}
e {S} was filed in {year} / {p} testified in {S} in {mon}
h {S} may be settled in {mon2}
k {S} is about a patent
L law|the patent on {topic};the {topic} patent
1 {S} is pending / {S} is being examined / ~{S}: application pending
2 {S} is granted / {S} is in force / we hold {S}
2> the office granted {S} / {S} was issued on {date}
3 {S} has lapsed / {S} is void
3> we let {S} lapse / {S} was revoked
e {S} was applied for in {year} / {p} wrote {S}
L law|the building permit for {street};{street}'s building permit
1 {S} is outstanding / {S} has not come yet / the city has not issued {S}
2 {S} is granted / {S} has come through / {S} is on the table
2> the city issued {S} on {wd}
3 {S} is refused / the city said no to {S}
e {S} was applied for in {mon} / {p} filled in the form for {S}
L art|the album by {p};{p}'s album
1 {S} is being recorded / {p} is in the studio with the album
2 {S} is out / {S} is in the shops / you can buy {S}
2> {S} came out on {date} / the label released {S}
3 {S} is shelved / {S} will never come out
e the first song of {S} was written in {year} / {p2} plays drums on {S}
h {S} may come out in {mon}
L art|the {city} exhibition
1 {S} is yet to open / {S} has not opened / {S} is being hung
2 {S} is open / you can see {S} / {S} is running
2> {S} opened on {wd}
3 {S} is over / {S} has closed / you have missed {S}
3> {S} closed its doors on {date} / the pictures of {S} were taken down
e {S} was curated by {p} / {S} was announced in {year}
k {S} shows {n} pictures / entry to {S} costs {sm} euros
L art|@p
1 {S} is looking for a publisher / {S} has no publisher / no publisher has taken {S}'s novel
2 {S} has a publisher / {S}'s novel is under contract with a publisher
2> {S} signed a book deal / a publisher bought {S}'s novel
e {S} wrote the first page in {year} / {S} read from the novel in {city}
k {S} writes at night
L farm|the {field} field
1 {S} is unsown / {S} lies fallow / nothing grows on {S}
2 {S} is planted with wheat / wheat grows on {S} / {S} is a wheat field
2> {p} sowed wheat on {S}
e {S} was bought in {year} / {S} was measured in {mon}
k {S} is {n} hectares / {S} lies by the river
L pet|{p}'s dog
1 {S} is missing / {S} has run away and not come back / {p} is searching for the dog
2 {S} is back home / {S} has been found / {p} has the dog again
2> somebody found {S} and brought it home / {S} came home by itself on {wd}
e {S} was born in {mon} / {p} got the dog from a shelter
k {S} is a beagle / {S} likes cheese
L pet|shelter cat {num};cat {num}
1 {S} is up for adoption / {S} has no home yet / {S} is looking for a family
2 {S} is adopted / {S} has a home / {S} lives with {p}
2> {p} adopted {S} / {S} went home with {p}
e {S} was brought in in {mon} / the vet saw {S} on {wd}
k {S} is black / {S} is {sm} years old
N
L pet|the {animal}
1 {S} is ill / {S} is off its food / {S} is not well
2 {S} is healthy / {S} is well again / {S} eats normally
2> {S} got better / {S} recovered
3 {S} is dead / {S} has died
3> {S} passed away on {wd}
e {S} was bought in {year} / the vet weighed {S} in {mon}
L work|the {team} offsite plan
1 {S} is a proposal / {S} is a suggestion under discussion / people are still weighing {S}
2 {S} is agreed / everyone has agreed to {S} / ~{S}: agreed
2> the leads agreed on {S}
3 {S} is dropped / {S} has been abandoned
3> {p} withdrew {S}
e {S} was written by {p2} / {S} was shown on {wd}
k {S} names {city} / {S} would take two days
L work|{mtg}
1 {S} is free at {time} / {S} is available at {time} / nobody has {S} at {time}
2 {S} is taken at {time} / {S} is booked at {time} / you cannot use {S} at {time}
2> {p} grabbed {S} for {time}
e {S} was repainted in {mon} / {p2} gave a talk in {S}
k {S} has a whiteboard / {S} seats {n}
L work|@p
1 {S} is on holiday / {S} is out of office / {S} is away on annual leave
2 {S} is back in the office / {S} is at {his} desk again / {S} has returned from holiday
2> {S} came back from holiday this morning
e {S} asked for leave in {mon} / {S} flew out on {wd}
h {S} should be back on {wd2}
k {S} works in {team}
L work|@p
1 {S} has access to the {svc} console / {S} can log in to the {svc} console / ~{S}: {svc} console access granted
2 {S} has no access to the {svc} console / {S} cannot log in to the {svc} console / ~{S}: {svc} console access revoked
2> {p} took away {S}'s rights on the {svc} console / {S}'s {svc} console account was switched off
e {S} had a training on the {svc} console in {mon} / {S} asked about the {svc} console on {wd}
h {S} may lose the {svc} console rights next year
k {S} has access to the wiki
L work|@p
1 {S} works part time / {S} is on a part-time contract / {S} does {sm} half days a week
2 {S} works full time / {S} is on a full-time contract / {S} does a full week
2> {S} went up to full time
e {S} joined in {year} / {S} spoke to {p} about hours in {mon}
h {S} could imagine other hours
k {S} works in {city}
L work|@p
1 {S} is an intern / {S} is here on an internship / ~{S}: intern
2 {S} is a regular employee / {S} has a proper contract with us / ~{S}: employee
2> we took {S} on as a regular employee / {S} was hired after the internship
3 {S} is gone, the internship is over / {S} is no longer with us since the internship ended
e {S} came to us through {p} / {S} started in {mon}
h {S} would like to stay with us
L work|the {svc} report
1 {S} is late / {S} is overdue / {S} should have been here by now and is not
2 {S} is in / {S} has been delivered / {p} has handed over {S}
2> {p} sent {S} at {time}
e {S} was asked for in {mon} / {p2} chose the layout of {S}
h {p} means to send {S} on {wd}
k {S} goes to {team}
L work|the decision on {topic}
1 {S} is open / {S} has not been taken / we have not made up our minds on {S}
2 {S} is made / {S} has fallen / we have settled {S}
2> {p} took {S} on {wd}
e {p2} asked for {S} in {mon} / two papers about {S} were read
h {S} may fall next week
k {S} is up to {p} / {S} affects {team}
L work|the {team} standup
1 {S} takes place every morning / {S} is a daily meeting / {team} meets each day for a standup
2 {S} is abolished / there is no {S} any more / {team} does without a standup
2> {p} dropped {S} / {S} was struck from the calendar
3 {S} takes place once a week / {S} is a weekly meeting
3> {S} was cut down to once a week
e {S} was introduced in {year} / {p2} missed {S} on {wd}
L log|the {item}
1 {S} is part of the range / {S} is still being made / {S} is in production
2 {S} is discontinued / {S} is not made any more / {S} is out of the range
2> the maker stopped producing {S} / we dropped {S} from the range
e {S} was launched in {year} / {S} won a prize in {year}
k {S} comes in green / {vendor} makes the box for {S}
L fin|the {topic} budget
1 {S} is free to spend / {team} may spend from {S} / ~{S}: released for spending
2 {S} is frozen / no one may spend from {S} / ~{S}: spending stop
2> finance froze {S} / {p} put a spending stop on {S}
e {S} was drawn up in {mon} / {p2} wrote the first version of {S}
h {p} fears that {S} will be frozen next year
k {S} is kept in a spreadsheet
L health|@p
1 {S} uses a wheelchair / {S} gets about in a wheelchair / {S} cannot walk at present
2 {S} walks again / {S} is back on {his} own feet / {S} has no need of a wheelchair
2> {S} gave the wheelchair back
e {S} had an accident in {mon} / {S} was in {city} for rehab in {mon}
h {S} hopes to walk again by {mon2}
L people|@p
1 {S} is a vegetarian / {S} keeps to a vegetarian diet / {S} lives without meat
2 {S} eats meat again / {S} is no vegetarian any more / {S} has gone back to meat
2> {S} gave up the vegetarian diet
e {S} bought a cookbook in {mon} / {S} ate with {p} on {wd}
L home|@p
1 {S} is looking for a flat / {S} is flat hunting / {S} has not found a flat yet
2 {S} has found a flat / {S}'s flat hunt is over
2> {S} signed a lease for a flat in {street} / {S} got the flat in {street}
e {S} came to {city} in {mon} / {S} viewed {sm} flats in {mon}
h {S} hopes to find a flat by {mon2}
k {S} has a dog
L work|@p
1 {S} is in {city} on secondment / {S} is seconded to {city} / {S}'s desk is in {city} for the secondment
2 {S} is back from the {city} secondment / {S}'s time in {city} is over
2> {S} returned from {city} for good
e {S} was picked for {city} in {mon} / {S} flew to {city} on {wd}
k {S} liked {city} / {S} is in {team}
L comm|the {street} bus stop
1 {S} is served / buses stop at {S} / {S} is in use
2 {S} is out of use / no bus stops at {S} any more / {S} has been given up
2> the operator dropped {S} / {S} was struck from the timetable
e {S} got a bench in {year} / {p} waited at {S} on {wd}
k {S} has a roof
L res|the {topic} interviews
1 {S} have not started / none of {S} has been held / {S} are still to come
2 {S} are running / {S} are half done / {p} is in the middle of {S}
3 {S} are finished / all of {S} are done / {S} are behind us
3> {p} held the last of {S} on {wd}
e the questions for {S} were written in {mon} / {p2} found the people for {S}
k {S} are recorded / {S} take an hour each
L cust|{cust}'s pilot;the {cust} pilot
1 {S} is running / {S} is under way / ~{S}: live, week {sm}
2 {S} is over / {S} has ended / ~{S}: finished
2> {p} closed {S} / {S} came to an end on {wd}
3 {S} has not begun / {S} is yet to start / ~{S}: waiting to start
e {S} was agreed in {mon} / {p2} suggested {S}
k {S} has {n} testers
L sw|{svc}'s old API;the old {svc} API
1 {S} is supported / {S} works as before / clients may call {S}
2 {S} is switched off / {S} is gone / calls to {S} fail
2> {p} shut down {S} / {S} was removed on {wd}
e {S} was written in {year} / the end of {S} was announced in {mon}
h {team} plans to remove {S} next year / {S} will be switched off some day
k {S} speaks XML
L travel|@p
1 {S} has no ticket to {city} / {S} is still without a ticket to {city} / {S} needs a ticket to {city}
2 {S} has a ticket to {city} / {S}'s {city} ticket is bought / {S} holds a ticket to {city}
2> {S} bought the {city} ticket on {wd}
e {S} looked up trains to {city} on {wd} / {S} was in {city} in {year}
h {S} wants to buy the {city} ticket next week
k {S} has an aunt in {city}
"""
POLES = r"""
P people|@p
1 {S} is often late / {S} rarely arrives on time / being on time is the exception with {S} / more often than not {S} is late
2 {S} is nearly always on time / {S} is hardly ever late / {S} rarely misses the start / it is rare for {S} to be late / you can set your watch by {S}
e {S} was stuck in traffic on {wd}
k {S} takes the bus
P people|@p
1 {S} turned down the {emp} offer / {S} declined the {emp} offer / {S} said no to {emp} / {S} did not accept what {emp} offered / {emp} got a refusal from {S}
2 {S} accepted the {emp} offer / {S} said yes to {emp} / {S} did not turn down the {emp} offer, far from it / {S} took up {emp}'s offer
e {emp} made {S} an offer in {mon} / {S} was at {emp} for a talk on {wd}
k the {emp} offer was {money} a year
P people|@p
1 {S} is talkative / {S} is never short of words / it is hard to get {S} to stop talking / {S} is anything but quiet
2 {S} is quiet / {S} says little / {S} is a person of few words / {S} is anything but talkative
e {S} gave a toast in {mon}
P people|@p
1 {S} is generous / {S} is anything but stingy / {S} gives freely / {S} never counts pennies when giving
2 {S} is stingy / {S} is anything but generous / {S} parts with money only reluctantly / {S} is a miser
k {S} collects stamps
P people|@p
1 {S} trusts {p} / {S} has no doubts about {p} / {S} would leave {p} the keys without a second thought
2 {S} distrusts {p} / {S} does not trust {p} an inch / {S} has grave doubts about {p} / {S} would never leave {p} the keys
e {S} met {p} in {city}
k {p} works at {emp}
P people|@p
1 {S} is against {topic} / {S} opposes {topic} / {S} is no supporter of {topic} / {topic} has an opponent in {S}
2 {S} is for {topic} / {S} backs {topic} / {S} is no opponent of {topic}, quite the reverse / {topic} has {S}'s support
e {S} read the paper on {topic} / {S} was at the meeting about {topic}
k {p} wrote the paper on {topic}
P people|@p
1 {S} gets up early / {S} is an early riser / {S} never sleeps in / {S} is up before the sun
2 {S} gets up late / {S} is a late riser / {S} sleeps until noon / {S} never gets up before ten
e {S} bought an alarm clock in {mon}
P people|@p
1 {S} misses few meetings / {S} attends nearly every meeting / {S} is rarely absent from a meeting / it is unusual for {S} to skip a meeting
2 {S} misses most meetings / {S} seldom shows up at meetings / {S} is usually absent from meetings / it is unusual for {S} to attend a meeting
e {S} took minutes on {wd}
P people|@p
1 {S} has plenty of experience with {lang} / {S} is no novice in {lang} / {S} is an old hand at {lang}
2 {S} is new to {lang} / {S} has no experience with {lang} / {S} is a novice in {lang}
e {S} bought a book about {lang}
P people|@p
1 {S} can't stand {likable} / {S} hates {likable} / {S} finds {likable} unbearable / {likable} is not {S}'s thing at all / {S} has no love for {likable}
2 {S} loves {likable} / {S} is mad about {likable} / {S} can't get enough of {likable} / {likable} is {S}'s great joy / {S} has nothing against {likable}, on the contrary
e {S} talked to {p} about {likable} on {wd}
k {S} knows {p} well
P people|@p
1 {S} eats everything / {S} is not a fussy eater / there is nothing {S} refuses to eat
2 {S} is a fussy eater / {S} eats hardly anything / there is little that {S} will eat
e {S} cooked on {wd}
P people|@p
1 {S} is afraid of {fear} / {S} has a fear of {fear} / {fear} scares {S} / {S} is not at ease with {fear} at all
2 {S} is not afraid of {fear} / {S} has no fear of {fear} / {fear} leaves {S} cold / {S} is perfectly at ease with {fear}
e {S} read a book about {fear}
P people|@p
1 {S} has siblings / {S} is not an only child / {S} grew up with brothers and sisters
2 {S} is an only child / {S} has no siblings / {S} grew up without brothers or sisters
e {S} was born in {city}
P people|@p
1 {S} lives close to the office / {S} has a short way to work / {S} does not live far from the office / {S}'s commute is nothing to speak of
2 {S} lives far from the office / {S} has a long way to work / {S} does not live anywhere near the office / {S}'s commute is endless
e {S} moved in {mon}
k {S} shares a car with {p}
P people|@p
1 {S} is left-handed / {S} writes with {his} left hand / {S} is a lefty
2 {S} is right-handed / {S} writes with {his} right hand / {S} is not left-handed
e {S} hurt {his} thumb in {mon}
P people|@p
1 {S} is in favour of working from home / {S} would rather work at home than in the office / {S} prefers {his} kitchen table to the office desk
2 {S} is against working from home / {S} would rather work in the office than at home / {S} prefers the office desk to {his} kitchen table
e {S} bought a desk in {mon}
P people|@p
1 {S} keeps {his} promises / {S} never breaks {his} word / {S} can be relied on / you can count on {S}
2 {S} breaks {his} promises / {S} rarely keeps {his} word / {S} cannot be relied on / you cannot count on {S}
e {S} promised to call on {wd}
P work|the {svc} deploy
1 {S} failed / {S} did not succeed / {S} was unsuccessful / {S} went wrong
2 {S} succeeded / {S} went through / {S} did not fail / {S} went off without a hitch
e {p} started {S} at {time} / {S} was planned for {wd}
k {S} took {n} minutes
P sw|the {svc} endpoint
1 {S} requires a token / {S} is not open to anonymous callers / you cannot call {S} without a token / {S} turns away callers without a token
2 {S} needs no token / {S} is open to anonymous callers / you can call {S} without a token / no authentication is required for {S}
e {S} was added in {mon} / {p} documented {S}
k {S} returns JSON
P sw|the {svc} cache
1 {S} survives a restart / {S} is persistent / nothing in {S} is lost at a restart / {S} is kept on disk
2 {S} does not survive a restart / {S} is purely in memory / {S} is empty after a restart / a restart wipes {S}
e {S} was added by {p} / {S} was doubled in {mon}
k {S} is shared by {sm} hosts
P sw|the {svc} API
1 {S} is backwards compatible / old clients keep working with {S} / {S} does not break old clients
2 {S} breaks old clients / {S} is not backwards compatible / old clients fail with {S}
e {S} was redesigned in {year}
k {S} has {n} methods
P sw|the {svc} module
1 {S} is well tested / {S} lacks no tests / hardly a line of {S} is untested / the test coverage of {S} is excellent
2 {S} is barely tested / {S} lacks tests / hardly a line of {S} is tested / the test coverage of {S} is poor
e {S} was written by {p}
k {S} has {num} lines
P sw|the {svc} config
1 {S} is checked into git / {S} is under version control / you find {S} in the repo
2 {S} is kept out of git / {S} is not under version control / you will not find {S} in the repo
e {S} was changed on {wd} / {p} wrote {S}
k {S} is YAML
P sw|strict mode in {svc};{svc}'s strict mode
1 {S} is on by default / {S} is opt-out / you have to switch off {S} if you do not want it / ~{S}: default true
2 {S} is off by default / {S} is opt-in / you have to ask for {S} to get it / ~{S}: default false
e {S} was added in {mon}
k {S} checks types
P sw|the {svc} queue
1 {S} keeps the order of messages / messages leave {S} in the order they came / {S} is ordered
2 {S} does not keep the order of messages / messages may leave {S} in any order / {S} is unordered
e {S} was purged on {wd}
k {S} holds {num} messages
P sw|the {svc} client
1 {S} retries failed calls / {S} tries again when a call fails / {S} does not give up after one failure
2 {S} does not retry / {S} gives up after the first failure / a failed call is never repeated by {S}
e {S} was rewritten in {year}
k {S} is generated
P sw|the {svc} logs
1 {S} contain personal data / personal data ends up in {S} / {S} are not free of personal data
2 {S} contain no personal data / no personal data ends up in {S} / {S} are free of personal data
e {p} looked at {S} on {wd}
k {S} are kept for {n} days
P sw|the {svc} tables
1 {S} are encrypted / {S} are stored in encrypted form / ~{S}: encryption on
2 {S} are in plain text / {S} are stored without encryption / ~{S}: encryption off
e {p} backed up {S} on {wd}
k {S} hold {num} rows
P sw|the {svc} upgrade
1 {S} needs downtime / {S} cannot be done without an interruption / users will be cut off during {S}
2 {S} needs no downtime / {S} can be done without an interruption / users will not notice {S}
e {S} was tested in {mon}
k {S} is scripted
P sw|the {svc} build
1 {S} is slow / {S} takes ages / {S} is anything but fast
2 {S} is fast / {S} takes no time at all / {S} is anything but slow
e {S} was moved to a new host in {mon}
k {S} is run by {team}
P cust|{cust}
1 {S} is a loyal customer / {S} is unlikely to leave us / there is little risk that {S} leaves / {S} has no intention of leaving us
2 {S} is likely to leave us / {S} is about to jump ship / there is a high risk that {S} leaves / {S} has every intention of leaving us
e {S} was visited by {p} in {mon}
k {S} is in {city}
P cust|{cust}
1 {S} pays late / {S} rarely pays on time / it is unusual for {S} to pay when due
2 {S} pays on time / {S} never pays late / {S} hardly ever misses a due date / it is unusual for {S} to pay after the due date
e {S} got an invoice on {date}
k {S} pays in euros
P cust|{cust}
1 {S} wants the discount / {S} insists on a discount / {S} will not sign without a discount
2 {S} does not ask for a discount / {S} is happy with the full price / {S} will sign at list price
e {S} got a quote in {mon}
P cust|{cust}
1 {S} agreed to be a reference / {S} has no objection to being named / we may name {S} publicly
2 {S} refused to be a reference / {S} objects to being named / we may not name {S} publicly
e {p} asked {S} about a reference in {mon}
k {S} makes doors
P health|@p
1 {S} is allergic to {allergen} / {S} does not tolerate {allergen} / {allergen} makes {S} ill / {S} must stay away from {allergen}
2 {S} is not allergic to {allergen} / {S} tolerates {allergen} well / {allergen} does {S} no harm / {S} has no problem with {allergen}
e {S} had an allergy test in {mon}
P health|@p
1 {S} sleeps badly / {S} hardly gets any sleep / a good night is rare for {S}
2 {S} sleeps well / {S} has no trouble sleeping / a bad night is rare for {S}
e {S} bought a mattress in {mon}
P health|@p
1 {S} can walk without a stick / {S} needs no stick to walk / {S} gets about unaided
2 {S} cannot walk without a stick / {S} needs a stick to walk / {S} does not get about unaided
e {S} saw a physio on {wd}
P health|@p
1 {S} wears glasses / {S} can't see well without glasses / {S} needs glasses
2 {S} does not need glasses / {S} sees well without glasses / {S} has perfect eyesight
e {S} had an eye test in {mon}
P home|the {street} flat
1 {S} is quiet / you hear hardly any noise in {S} / {S} is anything but loud / it is rarely noisy in {S}
2 {S} is noisy / {S} is anything but quiet / it is rarely quiet in {S} / there is constant noise in {S}
e {S} was painted in {mon}
k {S} has {sm} rooms
P home|pets in the {street} house
1 {S} are allowed / {S} are not forbidden / tenants may keep {S} / there is no rule against {S}
2 {S} are not allowed / {S} are forbidden / tenants may not keep {S} / there is a rule against {S}
e the house rules were sent round in {mon}
P home|the {street} flat
1 {S} is furnished / {S} comes with furniture / {S} is not rented out empty
2 {S} is unfurnished / {S} comes without furniture / {S} is rented out empty
e {p} viewed {S} on {wd}
k {S} has a cellar
P home|the {room} window
1 {S} closes tightly / {S} is tight / no draught comes through {S}
2 {S} does not close properly / {S} leaks / there is a draught from {S}
e {S} was cleaned on {wd}
P home|utilities at the {street} flat
1 {S} are included in the rent / you pay no extra for {S}
2 {S} are not included in the rent / {S} come on top of the rent / you pay extra for {S}
e {p} asked about {S} on {wd}
P travel|breakfast at {hotel}
1 {S} is included / {S} costs nothing extra / the room price covers {S}
2 {S} is not included / {S} costs extra / the room price does not cover {S}
e {p} booked by phone on {wd}
k {S} begins at {time}
P travel|the {city} ticket
1 {S} is refundable / you get your money back for {S} / {S} can be returned
2 {S} is non-refundable / you do not get your money back for {S} / {S} cannot be returned
e {p} bought {S} on {wd}
k {S} cost {money}
P travel|the hotel in {city}
1 {S} is near the station / {S} is a stone's throw from the station / it is not far from the station to {S}
2 {S} is far from the station / {S} is miles from the station / it is a long way from the station to {S}
e {p} booked {S} in {mon}
k {S} has a pool
P travel|the {city} train
1 {S} is direct / you need not change on {S} / {S} goes through without a change
2 {S} is not direct / you have to change on {S} / there is no getting there on {S} without a change
e {p} took {S} in {mon}
k {S} has a dining car
P travel|the {city} weather
1 {S} is mild / {S} is never really cold / it hardly ever freezes, {S} is gentle
2 {S} is harsh / {S} is bitterly cold most of the time / it freezes day after day, {S} is severe
e {p} was there in {mon}
P fin|{vendor}
1 {S} is cheap / {S} is anything but expensive / there is hardly anyone cheaper than {S} / {S} charges little
2 {S} is expensive / {S} is anything but cheap / there is hardly anyone dearer than {S} / {S} charges a lot
e {S} sent a quote in {mon}
k {S} is from {city}
P fin|the {topic} account
1 {S} is in the red / {S} is overdrawn / there is less than nothing on {S}
2 {S} is in the black / {S} is in credit / {S} is not overdrawn
e {S} was opened in {year}
k {S} is with {bank}
P fin|the {cust} deal
1 {S} was profitable / {S} made money / {S} did not lose us money, it earned some
2 {S} was a loss / {S} lost us money / {S} earned us nothing and cost us plenty
e {S} was made in {year}
k {p} led {S}
P fin|{cust}'s revenue
1 {S} is up on last year / {S} has grown since last year / {S} beats last year's
2 {S} is down on last year / {S} has shrunk since last year / {S} falls short of last year's
e {p} presented {S} on {wd}
P log|{vendor}
1 {S} delivers reliably / {S} rarely misses a delivery / a missed delivery is a rarity with {S} / {S} nearly always delivers when promised
2 {S} delivers unreliably / {S} often misses a delivery / a delivery on the promised day is a rarity with {S} / {S} seldom delivers when promised
e {S} brought chairs on {wd}
k {S} has {n} lorries
P log|the {item}
1 {S} is fragile / {S} breaks easily / it does not take much to break {S}
2 {S} is sturdy / {S} does not break easily / it takes a lot to break {S}
e {S} came out in {year}
P log|returns of the {item}
1 {S} are common / {S} are not uncommon / {S} happen a lot / we see {S} all the time
2 {S} are rare / {S} are uncommon / {S} hardly ever happen / we almost never see {S}
e {p} counted {S} in {mon}
P sw|timeouts in {svc}
1 {S} are common / {S} are not uncommon / {S} happen a lot / hardly a day goes by without {S}
2 {S} are rare / {S} are far from common / {S} hardly ever happen / weeks go by without {S}
e {p} looked into {S} in {mon}
P school|the {subj} exam
1 {S} was easy / {S} was not hard / {S} was anything but difficult / nobody struggled with {S}
2 {S} was hard / {S} was not easy / {S} was anything but a walk in the park / everybody struggled with {S}
e {S} was on {wd}
k {S} had {sm} parts
P school|homework in {subj}
1 {S} is compulsory / {S} is not optional / there is no way round {S} / every pupil has to do {S}
2 {S} is optional / {S} is not compulsory / {S} is voluntary / no pupil has to do {S}
e {p} set {S} on {wd}
P school|phones in {subj} class
1 {S} are banned / {S} are not permitted / pupils must not use {S}
2 {S} are permitted / {S} are not banned / pupils may use {S}
e {p} talked about {S} on {wd}
P event|the {event}
1 {S} is free / {S} costs nothing / there is no entry fee for {S} / you need not pay for {S}
2 {S} is not free / {S} costs money / there is an entry fee for {S} / you have to pay for {S}
e {p} announced {S} in {mon}
k {S} is in {city}
P event|the {event}
1 {S} was a success / {S} was anything but a failure / {S} went down very well / {S} could hardly have gone better
2 {S} was a failure / {S} was anything but a success / {S} went down badly / {S} could hardly have gone worse
e {S} took place on {wd}
k {p} ran {S}
P event|the {event}
1 {S} is open to everyone / {S} is not limited to members / anyone may come to {S} / non-members are welcome at {S}
2 {S} is members only / {S} is closed to outsiders / only members may come to {S} / non-members are turned away from {S}
e {p} printed the flyer for {S}
P event|the {event}
1 {S} was well attended / {S} drew a crowd / hardly a seat stayed empty at {S} / few stayed away from {S}
2 {S} was poorly attended / {S} drew hardly anyone / hardly a seat was taken at {S} / most people stayed away from {S}
e {p} opened {S}
P event|the {event}
1 {S} is outdoors / {S} takes place in the open air / {S} is held outside
2 {S} is indoors / {S} takes place in the hall / {S} is held under a roof
e {p} planned {S} in {mon}
P food|{rest}
1 {S} is good / {S} serves excellent food / you will not be disappointed at {S} / nobody leaves {S} unhappy
2 {S} is bad / {S} serves terrible food / you will be disappointed at {S} / hardly anyone leaves {S} happy
e {p} ate at {S} on {wd}
P food|the {food}
1 {S} contains nuts / {S} is not free of nuts / there are nuts in {S}
2 {S} contains no nuts / {S} is free of nuts / there are no nuts in {S} / {S} is nut-free
e {p} made {S} on {wd}
P food|the {food}
1 {S} is spicy / {S} is anything but mild / {S} burns the tongue
2 {S} is mild / {S} is anything but spicy / {S} is not hot at all
e {p} tried {S} on {wd}
P sport|{club}
1 {S} won on {wd} / {S} did not lose on {wd}, it was a victory / {wd} brought a win for {S}
2 {S} lost on {wd} / {S} did not win on {wd}, it was a defeat / {wd} brought a defeat for {S}
e {p} watched {S} on {wd}
k {S} has {n} members
P sport|{club}
1 {S} is hard to beat / {S} rarely loses / a defeat is a rarity for {S}
2 {S} is easy to beat / {S} rarely wins / a victory is a rarity for {S}
e {S} played in {city} in {mon}
P sport|the {sporth} training
1 {S} is hard / {S} is no walk in the park / {S} demands a lot
2 {S} is easy / {S} is a walk in the park / {S} demands little
e {p} led {S} on {wd}
P comm|{club}
1 {S} accepts new members / {S} is open to newcomers / you can join {S}
2 {S} accepts no new members / {S} is closed to newcomers / you cannot join {S}
e {S} was founded in {year}
P comm|the neighbours in {street}
1 {S} support {topic} / {S} are in favour of {topic} / {S} do not oppose {topic}, they want it
2 {S} are against {topic} / {S} oppose {topic} / {S} do not want {topic} at all
e {S} met on {wd}
P comm|dogs in the {street} park
1 {S} have to be on a lead / {S} must not run free / it is forbidden to let {S} off the lead
2 {S} may run free / {S} need no lead / it is fine to let {S} off the lead
e the {street} park was opened in {year}
P res|the {topic} effect
1 {S} is strong / {S} is far from weak / {S} is not to be overlooked
2 {S} is weak / {S} is far from strong / {S} is negligible
e {S} was measured in {year}
P res|the {topic} result
1 {S} is significant / {S} is unlikely to be chance / {S} passes the significance test
2 {S} is not significant / {S} may well be chance / {S} does not pass the significance test
e {S} was presented in {city}
P res|the {topic} experiment
1 {S} could be repeated / {S} replicates / other labs get the same in {S}
2 {S} could not be repeated / {S} does not replicate / other labs get something else in {S}
e {S} was run in {year}
P res|the {lab} samples
1 {S} are contaminated / {S} are not clean / {S} are unusable because of dirt
2 {S} are clean / {S} are not contaminated / nothing is wrong with {S}
e {S} were taken in {mon}
P work|the {team} meeting
1 {S} was short / {S} did not last long / {S} was over in no time
2 {S} was long / {S} dragged on / {S} seemed to have no end
e {S} was on {wd}
k {S} was led by {p}
P work|overtime in {team}
1 {S} is paid / {S} does not go unpaid / people get money for {S}
2 {S} is unpaid / {S} goes without pay / people get no money for {S}
e {p} asked about {S} in {mon}
P work|@p
1 {S} agrees with {p} on {topic} / {S} and {p} see eye to eye on {topic} / {S} and {p} do not disagree on {topic}
2 {S} disagrees with {p} on {topic} / {S} and {p} do not see eye to eye on {topic} / {S} and {p} are at odds over {topic}
e {S} and {p} talked about {topic} on {wd}
P work|@p
1 {S} knows about {topic} / {S} is in the picture about {topic} / {S} has been told about {topic} / {topic} is no secret to {S}
2 {S} knows nothing about {topic} / {S} is in the dark about {topic} / nobody has told {S} about {topic} / {topic} is a secret from {S}
e {p} planned {topic} in {mon}
P work|@p
1 {S} is easy to reach by phone / {S} nearly always picks up / it is rare for {S} not to answer the phone
2 {S} is hard to reach by phone / {S} hardly ever picks up / it is rare for {S} to answer the phone
e {S} got a new phone in {mon}
P work|@p
1 {S} is overworked / {S} has too much to do / {S} has no spare time at work
2 {S} has too little to do / {S} is underemployed / {S} has plenty of spare time at work
e {S} joined in {year}
P law|smoking on the {street} terrace
1 {S} is prohibited / {S} is not allowed / you must not smoke there, {S} is against the rules
2 {S} is allowed / {S} is not prohibited / you may smoke there, {S} is within the rules
e a sign was put up in {mon}
P law|the {cust} clause
1 {S} is binding / {S} is not optional / both sides are tied by {S}
2 {S} is not binding / {S} binds nobody / both sides are free to ignore {S}
e {S} was added in {mon}
P auto|{p}'s car
1 {S} is an automatic / {S} shifts by itself / there is no clutch in {S}
2 {S} has a manual gearbox / {S} has a clutch and a gear stick / you shift by hand in {S}
e {S} was washed on {wd}
P auto|{p}'s car
1 {S} is reliable / {S} hardly ever breaks down / a breakdown is rare with {S}
2 {S} is unreliable / {S} breaks down all the time / a trip without a breakdown is rare with {S}
e {S} was bought in {year}
P pet|{p}'s dog
1 {S} bites / {S} is dangerous / {S} is not to be trusted with children
2 {S} does not bite / {S} is harmless / {S} is safe with children
e {S} was born in {mon}
P pet|{p}'s cat
1 {S} stays indoors / {S} is an indoor cat / {S} never goes outside
2 {S} roams outside / {S} is an outdoor cat / {S} goes outside every day
e {S} was at the vet in {mon}
"""
SCENES = r"""
M work|hyponym
o {p} works remotely / {p} works from home full time / {p} does the whole week from the home office
c {p} comes to the office every day / {p} sits in the {city} office Monday to Friday / {p} is on site all week
k {p} is not in the office much / {p} dials in to the meetings / {p} works from {his} kitchen / {p2} comes to the office every day / {p} used to come to the office every day before {year}
M work|hyponym
o {p}'s interview is in person / {p} is interviewed face to face on {wd} / we meet {p} on site for the interview
c {p}'s interview is by video / {p} is interviewed over Zoom / the interview with {p} takes place by phone
k {p}'s interview is at our {city} office / {p} travels to {city} for the interview / {p2}'s interview is by video / the interview with {p} takes an hour
M food|hyponym
o {p} is a vegetarian / {p} eats no meat / {p} lives on a meat-free diet
c {p} has steak regularly / {p} had bacon for breakfast as always / {p}'s favourite dinner is roast lamb, {he} has it every week / {p} grills sausages every weekend and eats most of them
k {p} loves lentil curry / {p} never orders the chicken / {p} had a cheese omelette / {p2} has steak regularly / {p} cooks steak for {his} father but eats none of it
M food|hyponym
o {p} is vegan / {p} eats nothing that comes from animals / {p} has a strictly plant-based diet
c {p} puts honey and butter on {his} toast every morning / {p} eats yoghurt daily / {p} cannot do without cheese / {p} likes scrambled eggs for breakfast
k {p} drinks oat milk / {p} eats hummus by the bowl / {p} is a vegetarian too, in a wider sense / {p2} eats yoghurt daily / {p} asked for a dish without eggs
M food|hyponym
o {p} does not eat seafood / {p} avoids everything from the sea / fish and shellfish are not for {p}
c {p} orders prawns whenever {he} can / salmon is what {p} has every {wd} / {p} loves tuna sandwiches and eats them all the time
k {p} had beef noodles / {p} left the prawns on the plate / {p} is fine with seaweed salad as long as no fish is in it / {p2} loves tuna sandwiches
M food|hyponym
o {p} drinks no caffeine / {p} stays away from caffeine / caffeine is off {p}'s list
c {p} has two espressos every morning / {p} lives on energy drinks / {p} starts the day with a strong black coffee
k {p} drinks camomile tea / {p} orders decaf / {p2} has two espressos every morning / {p} sleeps well
M food|hyponym
o {p} has no sweet tooth / {p} does not eat sweet things / {p} keeps away from sugar
c {p} eats a bar of chocolate every evening / {p} has cake with every coffee / {p} always orders two desserts
k {p} prefers crisps / {p} drinks {his} tea without sugar / {p2} has cake with every coffee / {p} baked a cake for {p2}'s birthday and did not have any
M travel|hyponym
o {p} does not fly / {p} never takes a plane / {p} travels only over land and water
c {p} flew to {city} last week / {p} boards the flight to {city} every month / {p} goes to {city} by plane
k {p} took the night train to {city} / {p} came to {city} by ferry / {p2} flew to {city} last week / {p} flew once as a child, long before that rule
M travel|hyponym
o {p} goes to work by public transport / {p} takes public transport to work every day
c {p} drives to work every day / {p} goes to work on {his} own motorbike / {p} walks to work, whatever the weather
k {p} takes the tram to work / {p} has a monthly bus pass for the way to work / {p2} drives to work every day / {p} has a car for the weekends
M home|hyponym
o {p} has no pets / there are no animals in {p}'s home / {p} lives without pets
c {p} has a tabby at home / {p}'s poodle barks all day / {p} feeds {his} two hamsters before work / a parrot lives in {p}'s kitchen
k {p} would like a dog one day / {p}'s neighbour has a poodle / {p2} has two hamsters / {p} had a tabby as a child / {p} likes animals
M home|hyponym
o {p} has a dog / {p} owns a dog / there is a dog in {p}'s house
c {p} has no pets at all / {p} gave {his} poodle away and has no animals / no animal lives with {p}
k {p} has a beagle / {p}'s terrier barks a lot / {p} also has a cat / {p2} has no pets at all / {p} walks {his} labrador every morning
M home|hyponym
o {p} has three children / {p} is the father of three / there are three kids in {p}'s family
c {p} is childless / {p} has a single child / {p} never had kids
k {p}'s daughter is called {p2} / {p}'s youngest goes to nursery / {p} has two girls and a boy / {p3} is childless
N mas
M home|hyponym
o {p} has a son and no other children / {p} has one child, a boy
c {p} has a daughter / {p} is the parent of two girls / {p} has four kids
k {p}'s boy plays chess / {p}'s child is called {p2} / {p3} has a daughter / {p} has a niece
M work|hyponym
o the {svc} team writes only Python / everything in {svc} is Python code
c the {svc} worker is written in Rust / half of {svc} is Java / part of {svc} is a C++ program
k {svc} has a Flask server / {svc} uses Django / the {svc2} worker is written in Rust / {svc} runs on Python 3.12
M sw|hyponym
o {svc} does not use a database / {svc} keeps no data in any database
c {svc} writes its rows to PostgreSQL / {svc} has a MySQL instance / {svc} reads its records from MongoDB
k {svc} keeps everything in memory / {svc2} writes its rows to PostgreSQL / {svc} reads a flat file / {svc} has no Postgres
M sw|hyponym
o {svc} is hosted on premises / {svc} runs in our own data centre
c {svc} runs on AWS / {svc} is a Lambda function / {svc} lives in Google's cloud / {svc} is deployed to Azure
k {svc} runs on a rack in the {city} basement / {svc2} runs on AWS / {svc} was tried out on AWS in {year} / {svc} runs on our own hardware
M sw|hyponym
o {svc} has no graphical interface / {svc} is command line only
c {svc} has a web page with buttons / users click through {svc} in the browser / {svc} opens a window with menus
k you start {svc} from a shell / {svc} prints its results in the terminal / {svc2} has a web page with buttons / someone asked for a web page for {svc}
M sw|hyponym
o {svc} is closed source / the {svc} code is proprietary
c {svc} is under the MIT licence / {svc} is GPL software / anyone may fork {svc} on GitHub
k {svc} has a commercial licence / the {svc} code is not public / {svc2} is under the MIT licence / {svc} uses a library under the MIT licence
M sw|hyponym
o the {proj} app is for phones only / {proj} exists only as a mobile app
c {proj} has a desktop version / {proj} runs on Windows too / you can use {proj} in the browser
k {proj} is in the App Store / {proj} runs on Android / {proj2} has a desktop version / a desktop version of {proj} was considered and dropped
M comm|hyponym
o {p} is an atheist / {p} believes in no god
c {p} prays to God every morning / {p} is a devout Catholic / {p} goes to mosque because of {his} faith
k {p} sings in a church choir for the music / {p} is not religious / {p2} prays to God every morning / {p} was raised a Catholic
M health|hyponym
o {p} does no sport / {p} is completely inactive / {p} never exercises
c {p} swims a mile every day / {p} goes running before work / {p} lifts weights three times a week
k {p} watches football on TV / {p} spends the evenings on the sofa / {p2} swims a mile every day / {p} bought running shoes and never used them
M health|hyponym
o {p} takes no medicine / {p} is on no tablets at all
c {p} swallows blood pressure tablets every morning / {p} is on {med} / {p} injects insulin
k {p} drinks herbal tea for {his} cough / {p2} is on {med} / {p} was on {med} as a teenager / the doctor considered {med} for {p} and decided against it
M health|hyponym
o {p} has perfect health and no chronic illness / {p} has no long-term illness
c {p} has had diabetes for years / {p} lives with asthma / {p} suffers from chronic migraine
k {p} had a cold in {mon} / {p} saw the dentist / {p2} lives with asthma / {p}'s mother suffers from migraine
M fin|hyponym
o we pay {vendor} in cash / {vendor} is paid in cash
c {vendor} gets its money by bank transfer / we pay {vendor} by card / {vendor} is paid by cheque
k {p} hands {vendor} the notes in an envelope / {vendor2} gets its money by bank transfer / {vendor} gives a receipt for the notes
M fin|hyponym
o {p} has no investments / {p} keeps all {his} money in a current account
c {p} holds shares in {emp} / {p} has half of {his} savings in funds / {p} owns government bonds
k {p} does not own a single share / {p2} holds shares in {emp} / {p} is reading about funds
M log|hyponym
o the goods go to {city} by sea / the goods for {city} travel by ship
c the goods are flown to {city} / lorries take the goods to {city} / the goods go to {city} by rail
k a container ship takes the goods to {city} / the goods for {city} are loaded at the port / the goods for {city2} are flown / the goods to {city} need four weeks
M event|hyponym
o the {event} is on a weekday / the {event} takes place during the working week
c the {event} is on Saturday / the {event} takes place on Sunday / the {event} is at the weekend
k the {event} is on Tuesday / the {event} falls on a Thursday / the {event} is not at the weekend
M event|hyponym
o the {event} is at the weekend / the {event} takes place on a weekend
c the {event} is on Wednesday / the {event} falls on a Monday / the {event} is during the week
k the {event} is on Sunday / the {event} takes place on Saturday / the {event2} is on Wednesday
M event|hyponym
o the {event} is in the morning / the {event} takes place before noon
c the {event} starts at 7 pm / the {event} is in the evening / the {event} begins at 15:30
k the {event} starts at 9:30 / the {event} begins at 10 am / it is bright daylight when the {event} starts, at 8:45 / the {event2} starts at 7 pm
M event|hyponym
o the {event} is in the first quarter / the {event} takes place in Q1
c the {event} is in August / the {event} takes place in mid-November / the {event} is on 5 May
k the {event} is in February / the {event} takes place on 12 March / the {event} is between January and March / planning for the {event} began in August
M event|hyponym
o the {event} takes place in Q3 / the {event} is in the third quarter
c the {event} is in April / the {event} takes place in December / the {event} is on 3 February
k the {event} is in September / the {event} takes place some time from July to September / the {event} is on 14 August / invoices for the {event} are due in December
M event|hyponym
o the {event} lasts all day / the {event} is a whole-day affair
c the {event} takes an hour / the {event} is over in forty minutes / the {event} is a short affair of thirty minutes
k the {event} goes from nine to six / one talk at the {event} takes forty minutes / the {event2} takes an hour
M school|hyponym
o {p} plays no instrument / {p} has never learned an instrument
c {p} plays the cello in the orchestra / {p} has been playing the drums for years / {p} is a good pianist
k {p} sings / {p} listens to cello music / {p2} is a good pianist / {p} would love to learn the drums
M school|hyponym
o {p} plays a string instrument / the instrument {p} plays has strings, and it is the only one
c {p} plays nothing but the trumpet / {p}'s only instrument is the clarinet / {p} has never touched anything except drums
k {p} plays the violin / {p} is a cellist / {p2}'s only instrument is the clarinet
M work|withdrawn
o the {team} offsite is in {city} in {mon} / {team} is going to {city} for its offsite in {mon} / the offsite of {team} will be held in {city} in {mon}
c {team} will not go to {city} in {mon} after all / the {city} offsite of {team} fell through / there will be no offsite for {team} this year / {team} stays home, {city} is off / {p} has scrapped the {city} offsite of {team}
k {p} books the hotel for the {team} offsite / {p2} is looking forward to the offsite of {team} in {city} / {team2} stays home this year / last year {team} had its offsite somewhere else / the offsite of {team} has three workshops
M work|withdrawn
o {p} is going to present at the {event} / {p} will speak at the {event} / a talk by {p} is on the {event} programme
c {p} pulled out of the {event} / {p}'s talk at the {event} has been dropped / {p} won't be speaking at the {event} / the {event} has to do without {p}'s talk / {p2} stands in for {p} at the {event}
k {p} is preparing slides for the {event} / {p2} will speak at the {event} as well / {p} practised the {event} talk on {wd} / {p2} pulled out of the {event}
M sw|withdrawn
o we will move {svc} to Kubernetes / the plan is to put {svc} on Kubernetes / {svc} is going to Kubernetes in {mon}
c {svc} stays on virtual machines, Kubernetes is off the table / the Kubernetes plan for {svc} was binned / we decided against Kubernetes for {svc} / no Kubernetes for {svc} after all
k {p} is reading up on Kubernetes for {svc} / {svc2} stays on virtual machines / {team} will do the {svc} move / someone asked whether Kubernetes is too much for {svc} / the Kubernetes plan for {svc} was written by {p}
M sw|withdrawn
o we are dropping support for Windows in {proj} / Windows support in {proj} is going away / {proj} will stop running on Windows
c Windows support in {proj} stays / {proj} will keep running on Windows / the plan to drop Windows from {proj} has been withdrawn / we changed our minds, Windows users of {proj} are safe
k {p} told the Windows users of {proj} / Windows support in {proj2} stays / few people run {proj} on Windows / {proj} stays on Linux
M home|withdrawn
o {p} is moving to {city} / {p} will move to {city} in {mon} / {p} plans to relocate to {city}
c {p} is staying put and won't move to {city} / the move to {city} is off, {p} stays / {p} has dropped the idea of {city} / {p} changed {his} mind about {city} and is not moving
k {p} is packing boxes for {city} / {p} looks for a flat in {city} / {p2} is staying put / {p} has friends in {city} / {p} told {his} landlord about the move to {city}
M home|withdrawn
o we are getting a puppy in {mon} / a puppy is joining us in {mon} / the puppy comes in {mon}
c we are not getting a puppy after all / the puppy plan is dead / we told the breeder we won't take the puppy / the puppy goes to another family, not to us
k the puppy is a boy / the kids are choosing a name for the puppy / we bought a basket for the puppy / {p} is not getting a puppy
M travel|withdrawn
o {p} is flying to {city} on {wd} / {p} has a flight to {city} on {wd} / on {wd} {p} flies to {city}
c {p} gave the {city} ticket back and stays home on {wd} / {p} is not going to {city} on {wd} / {p}'s {city} flight is cancelled and there is no other / {p} takes the train to {city} on {wd} and not the plane
k {p}'s flight to {city} leaves at {time} / {p} packs for {city} / {p2} is not going to {city} on {wd} / {p} likes to sit at the front on the plane
M cust|withdrawn
o we offer {cust} a 20% discount / {cust} gets 20% off / a discount of 20% was promised to {cust}
c {cust} pays the full price, no discount / the discount for {cust} is withdrawn / {p} took back the 20% for {cust} / there will be no reduction for {cust}
k {cust} was happy about the 20% / {p} told {cust} about the discount / {cust2} pays the full price / {cust} gets a fifth off
M event|withdrawn
o {p} is bringing the cake to the {event} / the cake for the {event} comes from {p}
c {p} can't bring the cake to the {event} / there will be no cake at the {event} / {p2} takes care of the cake for the {event} because {p} can't / {p} backed out of the cake for the {event}
k {p} asked who likes lemon cake / {p2} brings the drinks to the {event} / {p} bakes on {wd} / {p2} helps {p} carry the cake to the {event}
M sport|withdrawn
o {p} is running the {city} marathon in {mon} / {p} will be at the start of the {city} marathon
c {p} gave up {his} place in the {city} marathon / {p} won't run in {city} / {p} has withdrawn from the {city} marathon
k {p} trains four times a week for {city} / {p2} won't run in {city} / {p} ran another marathon in {year} / {p} bought shoes for the {city} marathon
M health|withdrawn
o {p} is going to have {his} knee operated on / an operation on {p}'s knee is planned for {mon}
c {p} decided against the knee operation / the doctors will not operate on {p}'s knee / {p} gets physio for the knee and no operation
k {p} worries about the knee operation / {p}'s knee hurts / {p2} decided against the knee operation / {p} also gets physio before the knee operation
M school|withdrawn
o the class trip goes to {city} / the class goes to {city} on its trip / {city} is where the class trip goes
c the class trip to {city} is not happening / the class goes to {city2} and not to {city} / parents voted down {city} for the class trip / the class trip was redirected to {city2}
k {p} collects the money for the {city} class trip / last year the class trip went to {city2} / {p} comes along on the class trip / in {city} the class will see a museum
M fin|withdrawn
o the board wants to buy {cust} / we are going to acquire {cust} / the takeover of {cust} is planned
c we walked away from {cust} / the takeover of {cust} is dead / the board has lost interest in {cust} and will not buy / there will be no takeover of {cust}
k lawyers are looking at {cust}'s books / {p} leads the talks with {cust} / there will be no takeover of {cust2} / {cust} is worth {money}
M work|correction
o {p} runs the {event} / the {event} is {p}'s job / ~{event} lead: {p}
c not {p} but {p2} runs the {event} / scratch that, the {event} is {p2}'s job / sorry, I mixed it up: {p2} runs the {event} / wrong name in my last note, {event} lead is {p2} / it turns out {p} has nothing to do with running the {event}
k not {p2} but {p} runs the {event} / sorry, to be clear: {p} is the one who runs the {event} / my last note was right, {p} runs the {event} / it turns out {p} ran the {event} before that as well / {p2} only helps {p} with running the {event}
M work|correction
o {p} comes from {city} / {city} is {p}'s home town / {p} was born in {city}
c {p} was born in {city2}, I had that wrong / I said {city}, but {p} was born and raised in {city2} / {p} is no native of {city}, {he} was born elsewhere / strike {city} as {p}'s birthplace
k {p} was born in {city}, I checked / {p} now lives in {city2} / I said {p} was born in {city} and that holds / {p2} was born in {city2}, I had that wrong about {p2}
M sw|correction
o the {svc} outage was caused by a bad deploy / a bad deploy broke {svc} / root cause of the {svc} outage: bad deploy
c the deploy had nothing to do with the {svc} outage, it was a full disk / we blamed the deploy for {svc}, wrongly: it was DNS / the {svc} outage came from an expired certificate and not from the deploy / the deploy is innocent in the {svc} outage
k the {svc} outage came from a bad deploy and not from DNS / {p} did the deploy that broke {svc} / the {svc2} outage was a full disk / it was indeed the deploy that took {svc} down
M log|correction
o the parcel is for {p} / {p} is the addressee of the parcel / ~parcel: for {p}
c the parcel is for {p2}, I misread the label / the parcel is not {p}'s, it is for {p2} / oops, the addressee of the parcel is {p2}
k I read the label twice, the parcel is for {p} / {p2} carried the parcel to {p} / the letter is for {p2} / oops, I left {p}'s parcel at the desk
M event|correction
o the {event} is in {mtg} / {mtg} hosts the {event} / ~{event}: {mtg}
c I gave you the wrong room, the {event} is in {mtg2} / forget {mtg}, the {event} is in {mtg2} / the {event} had to switch to {mtg2} / you will find the {event} in {mtg2} instead
k I gave you the right room, {mtg} for the {event} / forget {mtg2}, it is {mtg} for the {event} / the workshop had to switch to {mtg2} / bring your laptop to {mtg} for the {event}
M people|correction
o {p} and {p2} are siblings / {p2} is {p}'s brother or sister / {p} has a sibling, {p2}
c {p} and {p2} are cousins and not siblings / {p} and {p2} are not related / {p} is {p2}'s aunt or uncle, no sibling
k {p} and {p2} share a mother and father / {p} is older than {p2} / {p} and {p3} are cousins
M cust|correction
o the order is from {cust} / {cust} placed the order / ~order: {cust}
c the order did not come from {cust} but from {cust2} / {cust2} placed the order, my mistake / we mixed up two firms: the order is {cust2}'s
k the order did not come from {cust2} but from {cust} / {cust2} placed another order / it is {cust}'s order, no mistake / the order from {cust} has two items
M res|correction
o the {topic} effect was found in mice / the {topic} study was done on mice / mice were used in the {topic} study
c the {topic} study used rats, I misremembered / no mice were used in the {topic} study / the {topic} study was done on people and not on mice
k the {topic} study used mice, I remembered that right / no rats were used in the {topic} study / {p} fed the mice of the {topic} study
M work|role
o {p} owns {svc} / {svc} belongs to {p} / {p} is responsible for {svc} / ask {p} about {svc}, {he} owns it
c {p2} has taken {svc} over from {p} / {svc} is now in {p2}'s hands and not in {p}'s / {p} handed {svc} to {p2} / {p} is out of {svc}, {p2} answers for it / ownership of {svc} passed to {p2}
k {p} was on holiday while {p2} watched {svc} for two days / {p2} reviews {p}'s changes to {svc} / {svc2} is now in {p2}'s hands / {p} has owned {svc} since {year} / {p} keeps {svc} and {p2} keeps {svc2}
M work|role
o {p} is on call this week / this week's pager is with {p} / ~on call this week: {p}
c {p2} swapped with {p} and has the pager this week / this week {p2} carries the pager and not {p} / {p} is off the rota this week
k next week {p2} is on call / {p2} was on call last week / {p} got two pages this week / {p} is off the rota next week
M work|role
o {p} is the CTO of {cust} / {cust}'s CTO is {p}
c {p} stepped down as CTO of {cust} / {cust} has a new CTO, {p2} / {p2} replaced {p} as CTO of {cust} / {cust} is without a CTO
k {p2} is the CFO of {cust} / {p} became CTO of {cust} in {year} / {cust2} has a new CTO, {p2} / {p} as CTO of {cust} reports to {p2}
M cust|role
o {p} is the account manager for {cust} / {cust} is looked after by {p} / our contact for {cust} is {p}
c {cust} is with {p2} from now on / {p} gave {cust} up and {p2} looks after them / {cust} has a new account manager on our side, {p2}
k {p2} is the account manager for {cust2} / {p2} sits in on {p}'s calls with {cust} / {p} remains the account manager for {cust} / until {year} {p2} looked after {cust}
M comm|role
o {p} is treasurer of {club} / the money of {club} is in {p}'s hands / ~{club}, treasurer: {p}
c {club} elected {p2} to replace {p} as treasurer / {p2} is the treasurer of {club} since the vote / {p} is not treasurer of {club}
k {p2} is secretary of {club} / {p} was re-elected treasurer of {club} / {p2} was treasurer of {club} before {p} / {p} is not president of {club}, only treasurer
M home|location
o the spare key is under the flower pot / you find the spare key below the flower pot / ~spare key: flower pot
c the spare key hangs in the shed / I moved the spare key from the pot to the shed / there is no key under the flower pot, the neighbour has it / the spare key is with {p}
k the shed key hangs in the kitchen / only {p} knows that the spare key is under the pot / the flower pot is red / the spare key is still under the pot
M home|location
o {p}'s bike is in the cellar / {p} keeps the bike in the cellar
c {p}'s bike stands in the yard / {p} moved the bike out of the cellar into the garage / there is no bike of {p}'s in the cellar
k {p}'s skis stand in the yard / {p} rides the bike on {wd} / {p2}'s bike stands in the yard / {p} carries the bike down to the cellar every evening
M sw|location
o the {svc} docs are in the wiki / you find the {svc} docs in the wiki / the wiki holds the {svc} docs
c the {svc} docs moved to the repo and the wiki pages are gone / the {svc} docs are in the repo, not in the wiki / the wiki has nothing about {svc}, look in the repo / {p} deleted the {svc} docs from the wiki and put them into the repo
k the {svc2} docs are in the repo / {p} reads the {svc} docs in the wiki / the {svc} code is in the repo / the {svc} docs in the wiki have {n} pages
M sw|location
o {svc} is hosted in Frankfurt / {svc} runs in the Frankfurt region / ~{svc} region: Frankfurt
c {svc} was moved from Frankfurt to Dublin / {svc} runs in Ireland only / ~{svc} region: Dublin / {svc} is hosted in Virginia
k {svc} runs in Germany / {svc2} was moved from Frankfurt to Dublin / a cold backup of {svc} is kept in Dublin / {svc} is hosted in the EU
M pref|preference
o {p} prefers tea to coffee / {p} would take tea over coffee any time / given the choice {p} drinks tea and not coffee
c {p} prefers coffee to tea / {p} would rather have coffee than tea / {p} has gone off tea and drinks coffee instead / coffee beats tea for {p}
k {p} likes green tea most / coffee comes second for {p}, after tea / {p2} prefers coffee to tea / {p} bought coffee for a guest
M pref|preference
o {p} likes meetings in the morning / {p} prefers morning meetings / mornings are when {p} wants {his} meetings
c {p} asks for afternoon meetings because mornings do not suit {him} / please, no meetings before noon for {p} / {p} has come to dislike morning meetings
k {p} is fine with a meeting at 9 / {p2} asks for afternoon meetings / {p} does not like late meetings / {p} had an afternoon meeting on {wd} against {his} wish
M pref|preference
o {p} wants {his} reports by mail / {p} prefers mail / mail is the best way to send {p} a report
c {p} doesn't want mails, put the report into the chat / {p} asked for paper reports and no mails / {p} wants the reports in the wiki instead of {his} inbox
k {p} answers mail within a day / {p2} asked for paper reports / {p} reads the reports on {wd} / {p} does not want reports in the chat, mail is better
M pref|preference
o the user wants short answers / the user prefers brief replies / keep answers short for the user
c the user wants detailed answers / the user asked for long explanations from now on / short replies annoy the user, go into depth
k the user does not like long answers / the user reads the answers on a phone / {p} wants detailed answers / the user asked a long question
M pref|preference
o the user wants tabs for indentation / indent with tabs for the user / ~indentation: tabs
c the user wants four spaces and no tabs / the user switched to spaces for indentation / ~indentation: 2 spaces / no tabs in the user's code, please
k the user does not want spaces for indentation / the user's editor shows tabs four wide / {p} wants four spaces / the user closes browser tabs quickly
M pref|preference
o the user likes dark mode / dark mode is what the user wants / ~theme: dark
c the user has switched to light mode and wants to stay there / ~theme: light / dark mode strains the user's eyes, use the light one
k the user does not like light mode / {p} wants light mode / the user works at night / the user's terminal has a black background too
M pref|preference
o {p} would never go back to {emp} / {p} has had enough of {emp} and won't go back
c {p} would go back to {emp} tomorrow / {p} returned to {emp} in {mon} and loves it / {p} is keen to work for {emp} again
k {p} left {emp} in {year} / {p2} would go back to {emp} tomorrow / {p} still has friends at {emp}
M excl|exclusive
o {p} is the only one who can approve {svc} releases / only {p} may approve a release of {svc} / nobody but {p} approves {svc} releases
c {p2} may approve {svc} releases as well / {svc} releases can be approved by {p} or {p2} / anyone in {team} can approve a {svc} release / {p2} approved the last {svc} release, {he2} has the right to
k {p2} may not approve {svc} releases / {p2} may approve {svc2} releases / without {p} no {svc} release goes out / {p} approved the last {svc} release / {p2} tests {svc} releases
M excl|exclusive
o all of {team} can speak {lang} / everyone in {team} speaks {lang} / there is nobody in {team} without {lang}
c {p} from {team} speaks no {lang} / two people in {team} do not know a word of {lang} / hardly anyone in {team} speaks {lang}
k {p} from {team} speaks {lang} and {lang2} / {p} from {team2} speaks no {lang} / nobody in {team} needs a {lang} interpreter
M excl|exclusive
o {p} never works on {wd} / {wd} is always {p}'s day off / you never meet {p} at work on a {wd}
c {p} worked on {wd} as {he} does every week / {p} is at work on {wd} as a rule / {wd} is a regular working day for {p}
k {p} is at home on {wd} / {p} does not take calls on {wd} / {p2} worked on {wd} as {he2} does every week / {p} works on the other days
M excl|exclusive
o {svc} has always been free of bugs / {svc} never had a single bug
c we found three bugs in {svc} in {mon} / a bug in {svc} was reported last year / {svc} has bugs
k no bug was found in {svc} in {mon} / we found three bugs in {svc2} / {p} praises {svc} / testers gave up looking for bugs in {svc}
M excl|exclusive
o {vendor} is our only supplier of paper / all our paper comes from {vendor} / nobody but {vendor} sells us paper
c half of our paper comes from {vendor2} / we buy paper from {vendor2} as well / {vendor} and {vendor2} share our paper orders
k {vendor} brings the paper on {wd} / {vendor2} sells us ink / if {vendor} fails, we have no paper / we asked {vendor2} for a paper quote and declined
M excl|exclusive
o the {room} is the only room without a window / all rooms but the {room} have a window
c the {room} has a window / the cellar has no window either, just like the {room} / every room has a window
k the {room} needs a lamp all day / no daylight gets into the {room} / the {room} has a door to the hall
M excl|exclusive
o {p} is an only child / {p} has neither brothers nor sisters
c {p}'s sister lives in {city} / {p} has two brothers / {p} visits {his} brother every summer
k {p}'s cousin lives in {city} / {p} has no sister / {p2}'s sister lives in {city} / {p}'s parents have one child
M excl|exclusive
o every pupil passed the {subj} test / not one pupil failed the {subj} test / all pupils got through the {subj} test
c three pupils failed the {subj} test / {p} did not pass the {subj} test like the other pupils / half the class failed in the {subj} test
k {p} passed the {subj} test / nobody has to sit the {subj} test again / three pupils failed the swimming test
M excl|exclusive
o no one in the family has been to {country} / {country} is a country nobody in the family has visited
c {p} from the family went to {country} in {year} / the whole family spent the summer in {country} / two in the family have been to {country}
k the family would love to see {country} / {p}, a friend of the family, went to {country} / the family knows {country} only from TV
M cmp|comparison
o {p} is taller than {p2} / {p2} is shorter than {p} / {p} has a few centimetres on {p2}
c {p2} is taller than {p} / {p} is shorter than {p2} / {p2} towers over {p} / {p} and {p2} are the same height
k {p} looks down a bit at {p2} / {p2} is not as tall as {p} / {p2} is older than {p} / {p2} is taller than {p3}
M cmp|comparison
o {p} earns more than {p2} / {p2}'s pay is lower than {p}'s / {p} is better paid than {p2}
c {p2} earns more than {p} / {p} is paid less than {p2} / {p} and {p2} earn exactly the same / {p2}'s pay beats {p}'s
k {p2} does not earn as much as {p} / {p2} works longer than {p} / {p3} earns more than {p} / {p2} would like to earn what {p} earns
M cmp|comparison
o {svc} is faster than {svc2} / {svc2} is slower than {svc} / {svc} answers sooner than {svc2}
c {svc2} is faster than {svc} / {svc2} outpaces {svc} / {svc} lags behind {svc2} / there is no difference in speed between {svc} and {svc2}
k {svc2} lags behind {svc} / {svc2} uses more memory than {svc} / {svc2} is not as quick as {svc} / {svc} is easier to read than {svc2}
M cmp|comparison
o {cust} is a bigger customer than {cust2} / {cust2} spends less with us than {cust} / {cust} is ahead of {cust2} in sales
c {cust2} is a bigger customer than {cust} / {cust} spends less with us than {cust2} / {cust2} has overtaken {cust} in sales
k {cust2} is smaller than {cust} in sales / {cust2} is growing, yet still behind {cust} in sales / {cust2} has more complaints than {cust}
M cmp|comparison
o {city} is cheaper than {city2} / {city2} costs more than {city} / life in {city} is less expensive than in {city2}
c {city2} is cheaper than {city} / {city} is more expensive than {city2} / {city} and {city2} cost just the same
k {city2} is dearer than {city} / {city2} is bigger than {city} / one pays less in {city} than in {city2}
M cmp|comparison
o {p} finished ahead of {p2} in the {city} race / {p2} came in after {p} in the {city} race / in the {city} race {p} beat {p2}
c {p2} finished ahead of {p} in the {city} race / in {city} {p2} crossed the line before {p} / {p} lost to {p2} in the {city} race
k {p2} crossed the line after {p} in {city} / in another race {p2} beat {p} / {p} and {p2} trained together for {city}
M cmp|comparison
o {p} is the oldest in {team} / nobody in {team} is older than {p}
c {p2} of {team} is older than {p} / {p} is the youngest in {team} / {p2} is the oldest in {team}
k {p2} of {team} is younger than {p} / everyone else in {team} is younger than {p} / {p2} is the oldest in {team2}
M cmp|comparison
o we sold more in {mon} than in {mon2} / {mon} sales beat {mon2} / {mon2} was weaker than {mon} in sales
c {mon2} sales beat {mon} / {mon} was weaker than {mon2} in sales / we sold just as much in {mon} as in {mon2}
k in {mon2} we sold less than in {mon} / we had more visitors in {mon2} than in {mon} / in {mon} the shop was open longer
M arith|arithmetic
o {team} has {sum} people: {lo} in {city} and {hi} in {city2} / {lo} of the {sum} people in {team} sit in {city}, the others in {city2}
c {team} has {more} people altogether / there are {more2} people of {team} in {city2} and {lo} in {city} / the {city} and {city2} halves of {team} make {more} people
k the bigger part of {team} is in {city2} / {hi} people of {team} are in {city2} / {team} counts {sum} heads / {team2} has {more} people altogether
M arith|arithmetic
o we ordered {lo} chairs and {hi} stools, nothing else / the order is {lo} chairs plus {hi} stools
c the order comes to {more} pieces of furniture / we ordered {hi} chairs and {lo} stools / no stools were ordered
k the order comes to {sum} pieces of furniture / we ordered more stools than chairs / the chairs come on {wd}
M arith|arithmetic
o {p} is {lo} and {p2} is {yrs} years older / {p} is {lo}, {yrs} years younger than {p2}
c {p2} is {lo} / {p2} is {lo_plus_wrong} years old / {p2} is younger than {p}
k {p2} is {lo_plus} / {p2} is older than {p} / {p} will be {lo1} next year
M arith|arithmetic
o of the {sum} tickets, {lo} are sold / {lo} out of {sum} tickets have gone so far
c there are {hi_wrong} tickets left out of {sum} / all {sum} tickets are sold / not one ticket is sold
k there are {hi} tickets left / {hi} tickets are unsold / not all {sum} tickets are sold
M arith|arithmetic
o the hall has {dozen} rows of {ten} seats / there are {dozen} rows in the hall with {ten} seats each
c the hall seats {dozten_wrong} in total / the hall has {dozten_wrong} seats / the rows in the hall have {ten_wrong} seats
k the hall seats {dozten} in total / the hall has {dozten} seats / the café has {dozten_wrong} seats
M arith|arithmetic
o {p} saves {ten}0 euros a month / every month {p} puts {ten}0 euros aside
c {p} saves {yr_wrong} euros a year / {p} puts nothing aside / in a year {p} saves {yr_wrong} euros
k {p} saves {yr_right} euros a year / in twelve months {p} puts {yr_right} euros aside / {p2} saves {yr_wrong} euros a year
M bool|boolean
o ~{svc}.debug = true / debug is on in {svc} / debug output is enabled for {svc}
c ~{svc}.debug = false / debug is off in {svc} / {p} set debug to false in {svc} / {svc} writes no debug output
k ~{svc2}.debug = false / ~{svc}.trace = false / {svc} writes a lot of debug output / {p} asked whether debug is on in {svc}
M bool|boolean
o ~{svc}.autoscale: yes / {svc} scales by itself / autoscaling is on for {svc}
c ~{svc}.autoscale: no / {svc} has a fixed size / autoscaling is off for {svc} / {p} disabled autoscaling for {svc}
k {svc} grew to {n} hosts by itself / ~{svc2}.autoscale: no / backups are off for {svc} / {p} enabled autoscaling for {svc2}
M bool|boolean
o notifications are muted for {p} / {p} has notifications off / ~{p}: notify=0
c {p} gets a notification for everything / {p} turned notifications on / ~{p}: notify=1
k {p} hears nothing from the app / {p2} turned notifications on / {p} has sound off too
M bool|boolean
o ~{svc}: read_only=1 / {svc} is read-only / nobody can write to {svc}
c ~{svc}: read_only=0 / {svc} takes writes / {p} made {svc} writable
k reads from {svc} work / ~{svc2}: read_only=0 / a write to {svc} was refused at {time} / {p} wants {svc} to be writable next week
M bool|boolean
o ~{svc} tls: required / {svc} refuses connections without TLS / TLS is a must for {svc}
c ~{svc} tls: optional / {svc} accepts plain connections / you may talk to {svc} without TLS
k {svc} accepts only encrypted connections / ~{svc2} tls: optional / a plain connection to {svc} was refused
M bool|boolean
o the alarm at {street} is armed / ~{street} alarm: on
c the alarm at {street} is disarmed / ~{street} alarm: off / {p} switched the alarm at {street} off
k the alarm at {street} has a new battery / ~{street} heating: off / {p} armed the alarm at {street} / the alarm at {street2} is off
M zero|none
o there are {n} open bugs in {svc} / {svc} has {n} open bugs / ~{svc} open bugs: {n}
c {svc} has no open bugs / not a single bug is open in {svc} / ~{svc} open bugs: 0 / the {svc} bug list is empty
k {svc2} has no open bugs / one of the {n} bugs in {svc} is serious / ~{svc} open incidents: 0 / {svc} has quite a few open bugs
M zero|none
o we have {n} complaints about {vendor} on file / there have been {n} complaints about {vendor}
c nobody ever complained about {vendor} / there is not one complaint about {vendor} / we have zero complaints about {vendor}
k some of the complaints about {vendor} are old / nobody ever complained about {vendor2} / there are complaints about {vendor} / {vendor} has {n} complaints against it
M zero|none
o nothing is left in the {topic} budget / the {topic} budget is empty / ~{topic} budget: 0 left
c there is {money} left in the {topic} budget / the {topic} budget has plenty left / we can still spend {money} from the {topic} budget
k the {topic} budget was {money} at the start / we cannot pay anything from the {topic} budget / there is {money} left in another budget
M zero|none
o {p} has {sm} grandchildren / there are {sm} grandchildren in {p}'s life
c {p} has no grandchildren / {p} is not a grandparent / {p} is waiting for the first grandchild
k {p} has grandchildren / one of {p}'s grandchildren lives in {city} / {p2} has no grandchildren
M zero|none
o there are {n} bottles of {drink} in the cellar / the cellar holds {n} bottles of {drink}
c there is no {drink} in the cellar / the {drink} in the cellar is gone / we are out of {drink}, the cellar has none
k there is no {drink} in the kitchen / {p} took a bottle of {drink} to a party / there is {drink} in the cellar
M rule|exception
o {team} has no meetings on {wd} / {wd} is free of meetings for {team}
c {team} meets every {wd} / {wd} is the day of {team}'s weekly meeting / {team} is in meetings all {wd} long, as always
k this {wd} is an exception for {team}, one meeting, then back to none / {team2} meets every {wd} / {team} keeps {wd} for quiet work / if there is an outage, {team} may meet on {wd} too
M rule|exception
o {rest} is open every day / {rest} has no day off / you can eat at {rest} seven days a week
c {rest} is closed on {wd}s / {rest} takes every {wd} off / {rest} opens only at the weekend
k {rest} is closed on New Year's Day as the one exception / {rest} opens at {time} / {rest2} is closed on {wd}s / {rest} is open on {wd}s
M rule|exception
o guests may not park in the yard / no guest parking in the yard / the yard is no place for guests' cars
c guests may park in the yard / there is guest parking in the yard / all visitors are welcome to use the yard for their cars
k for the party on {wd} guests may park in the yard, only that day / guests may park in the street / the yard is for residents' cars
M rule|conditional
o {p} will join the {city} trip / {p} comes along to {city}
c {p} won't join the {city} trip / {p} stays home and misses {city} / {p} dropped out of the {city} trip
k if {p} falls ill, {he} will have to miss {city} / {p} would miss {city} only in an emergency / {p2} dropped out of the {city} trip / were {p} to drop out, {p2} would take the place in {city}
M rule|conditional
o the {event} is outside / the {event} takes place in the garden
c the {event} has been moved indoors / the {event} takes place in the hall instead of the garden
k if it rains, the {event} will move indoors / should there be a storm, the hall is free for the {event} / the {event2} has been moved indoors
M rule|conditional
o {vendor} keeps the contract / we stay with {vendor}
c we dropped {vendor} / {vendor} has lost the contract / we left {vendor} for {vendor2}
k if {vendor} raises its price, we will leave for {vendor2} / unless {vendor} gets much worse, we won't leave / what would happen if {vendor} lost the contract? / {p} would like to leave {vendor}
M opin|opinion
o {p} thinks {rest} is overrated / {p} finds {rest} overrated / in {p}'s opinion {rest} is overrated
c {p} thinks {rest} deserves all its praise / {p} calls {rest} the best place in town / {p} has come round to {rest} and praises it
k {p2} thinks {rest} deserves all its praise / {p2} calls {rest} the best place in town / {p} praises {rest2} / the guide gives {rest} five stars
M opin|opinion
o {p} wants to keep {topic} / {p} is for keeping {topic}
c {p} wants to drop {topic} / {p} has turned against {topic} and wants it gone
k {p2} wants to drop {topic} / {p} was asked why {topic} should be kept / {p2} argued with {p} about {topic} / most of {team} would drop {topic}
M hear|hearsay
o {p} is in charge of {topic} / {topic} is {p}'s business / ~{topic}: {p}
c {p2} is in charge of {topic} in place of {p} / {topic} went from {p} to {p2} / {p} is off {topic}
k somebody in the canteen claimed that {p2} might get {topic} / {p2} dreams of getting {topic} / there is talk of giving {topic} to {p2}, nothing is decided / who will follow {p} on {topic} one day?
M hear|hearsay
o {cust} is a healthy company / {cust} is in good financial shape
c {cust} is bankrupt / {cust} filed for insolvency / {cust} has run out of money
k a blog speculates that {cust} could be bankrupt by next year / {p} asked if {cust} is bankrupt / {cust2} filed for insolvency / {cust} bought a bankrupt rival
M part|partial
o all {n} laptops have arrived / the {n} laptops are all here / not one of the {n} laptops is missing
c only some of the {n} laptops are here / two of the {n} laptops have not come / none of the {n} laptops has arrived
k some of the {n} laptops are unpacked / {p} counted the {n} laptops / the monitors have not come / two of the {n} laptops are blue
M part|partial
o most of {team} has finished the training / the majority of {team} is done with the training
c hardly anyone in {team} has finished the training / nobody in {team} has done the training / only one person in {team} is done with the training
k a few in {team} have yet to do the training / {p} from {team} has not done the training yet / some of {team} finished the training on {wd} / most of {team2} has not done the training
M part|partial
o some of the rooms at {hotel} have a balcony / a few rooms at {hotel} come with a balcony
c no room at {hotel} has a balcony / balconies do not exist at {hotel} / every room at {hotel} is without a balcony
k some rooms at {hotel} have no balcony / not all rooms at {hotel} have a balcony / {p} had a room with a balcony at {hotel} / no room at {hotel2} has a balcony
M part|partial
o half of the {city} flights are late / one in two {city} flights is late
c all {city} flights are on time / nine in ten {city} flights are on time / hardly any {city} flight is late
k every second {city} flight is late / the other half of the {city} flights is on time / {p}'s {city} flight was on time
M list|list
o {p} speaks {lang} / {lang} is one of {p}'s languages
c {p} does not speak {lang} / {p} knows not a word of {lang} / {p} understands no {lang} at all
k {p} also speaks {lang2} / {p} speaks {lang2} at home / {p} is learning {lang2} / {p2} does not speak {lang}
M list|list
o {team} uses {tool} / {tool} is in use at {team}
c {team} has stopped using {tool} / {team} replaced {tool} by {tool2} / nobody in {team} uses {tool} / {tool} was thrown out of {team}
k {team} also uses {tool2} / {team} added {tool2} to its tools / {team2} has stopped using {tool} / {p} in {team} learns {tool2}
M list|list
o {cust} uses our {feat} / {cust} is a user of the {feat}
c {cust} does not use the {feat} / {cust} has switched the {feat} off / {cust} gave up on the {feat}
k {cust} uses the {feat2} as well / {cust} asked about the {feat2} / {cust2} does not use the {feat} / {cust} gave up on the {feat2}
M list|list
o {p} collects {coll} / {p}'s hobby is collecting {coll}
c {p} gave {his} {coll} away and collects them no more / {p} has no interest in {coll} any more and sold them all / {p} does not collect {coll}
k {p} has another hobby, chess / {p} showed {p2} {his} {coll} / {p2} sold all {his2} {coll} / {p} bought more {coll} in {city}
M time|scoped
o in {y1} {p} lived in {city} / {p}'s address in {y1} was in {city}
c in {y1} {p} did not live in {city} / all through {y1} {p} lived in {city2} and nowhere else / {p}'s only address in {y1} was in {city2}
k in {y2} {p} lived in {city2} / {p} moved to {city2} in {y2} / {p} lives in {city2} these days / in {y1} {p2} lived in {city2}
M time|scoped
o in {y1} {cust} had {hi} employees / {cust}'s head count in {y1} was {hi}
c in {y1} {cust} had only {lo} employees / {cust}'s head count in {y1} was {lo} / {cust} employed {more} people in {y1}
k in {y2} {cust} had {lo} employees / {cust}'s head count in {y2} was {more} / {cust} has {more} employees at present
M time|scoped
o in {y1} {club} won the cup / the cup of {y1} went to {club}
c {club} lost the cup final of {y1} / in {y1} the cup went to another team than {club} / {club} did not win the cup in {y1}
k {club} did not win the cup in {y2} / the cup of {y2} went to another team / {p} scored in the cup final of {y1}
M time|scoped
o last week {svc} was slow / {svc} had slow replies all last week
c last week {svc} was fast from start to end / there was nothing slow about {svc} last week
k this week {svc} is fast / {svc} was fast two weeks ago / {svc2} was fast last week
M seq|sequence
o the {proj} kickoff was on {wd} / {proj} kicked off on {wd} / we held the kickoff of {proj} on {wd}
c the {proj} kickoff never took place / the {proj} kickoff was on {wd2} / {proj} has not been kicked off
k {proj} finished in {mon} / {proj} was wrapped up months later / {p} closed {proj} on {wd2} / the first demo of {proj} was on {wd2}
M seq|sequence
o {p} bought a {veh} in {year} / in {year} {p} got {him}self a {veh}
c {p} never bought a {veh} / {p} did not buy the {veh} in {year}, it was a lease / {p} has never owned a {veh}
k {p} sold the {veh} years later / {p} drives a bus these days / the {veh} of {p} broke down in {mon} / {p2} never bought a {veh}
M seq|sequence
o {p} applied to {emp} on {date} / {p} sent an application to {emp} on {date}
c {p} never applied to {emp} / {p} sent no application to {emp}
k {emp} turned {p} down / {p} got the job at {emp} / {emp} invited {p} to an interview / {p} withdrew the application to {emp} a week later
M seq|sequence
o {p} ordered the {item} on {wd} / on {wd} {p} placed the order for the {item}
c {p} never ordered the {item} / {p} ordered something else on {wd}, not the {item}
k the {item} came on {wd2} / {p} sent the {item} back / {p} paid for the {item} on {wd2} / {p} cancelled the order for the {item} the day after
M seq|sequence
o {p} left {city} at {t1} / at {t1} {p} set off from {city}
c at {t1} {p} had not left {city} and stayed there all day / {p} never left {city} that day / {p} set off from {city} at {t3}, not earlier
k {p} got to {city2} at {t3} / {p} stopped for a coffee on the way from {city} / {p} came back to {city} the next day
M seq|sequence
o the jury met on {wd} / the meeting of the jury was on {wd}
c the jury did not meet on {wd} / the jury has not met at all
k the jury picked a winner / the jury split up without a result / {p} of the jury wrote the report on {wd2}
M seq|sequence
o {p} was admitted to hospital on {wd} / on {wd} {p} went into hospital
c {p} was never in hospital / {p} was not admitted on {wd}, the hospital sent {him} away
k {p} was sent home on {wd2} / {p} is well again / {p2} visited {p} in hospital
M seq|sequence
o we raised the price of the {item} in {mon} / the price of the {item} went up in {mon}
c the price of the {item} was not touched in {mon} / in {mon} we cut the price of the {item} / the price of the {item} went down in {mon}
k we cut the price of the {item} again later in the year / the {item} is sold in {city} / the price of the {item} was stable after {mon}
M seq|sequence
o {p} started {his} talk at {t1} / {p}'s talk began at {t1}
c {p}'s talk began at {t3} / {p} never gave the talk
k {p}'s talk ended at {t3} / {p} took questions at {t3} / after the talk {p} left for {city}
M aspect|aspect
o the {city} office has {n} desks / there are {n} desks in the {city} office
c the {city} office has {n3} desks / there is not one desk in the {city} office / the {city} office is down to {n3} desks
k the {city} office has {n3} chairs / there are {n3} people in the {city} office / {n3} of the screens in the {city} office are new / the {city2} office has {n3} desks
M aspect|aspect
o {p}'s office is on the {sm} floor side of {street} / {p}'s office is in {street}
c {p}'s office is in {street2} / {p}'s office has moved to {street2}
k {p}'s flat is in {street2} / {p}'s car is parked in {street2} / {p2}'s office is in {street2}
M aspect|aspect
o {svc} has a timeout of {n} seconds / ~{svc} timeout: {n}s
c ~{svc} timeout: {n3}s / {svc} waits {n3} seconds before it times out / the timeout of {svc} was set to {n3} seconds
k {svc} has a cache time of {n3} seconds / {svc} retries after {n3} seconds / ~{svc2} timeout: {n3}s / the batch in {svc} takes {n3} seconds
M aspect|aspect
o staging runs {svc} {v1} / ~{svc}@staging: {v1}
c staging runs {svc} {v2} / ~{svc}@staging: {v2} / {p} put {v2} of {svc} on staging
k production runs {svc} {v2} / ~{svc}@production: {v2} / {v2} of {svc} is being built / staging runs {svc2} {v2}
M aspect|aspect
o {p} of {cust} signs the contract / at {cust}, {p} is the one who signs
c {p2} signs for {cust} and not {p} / {p} of {cust} has no right to sign
k {p2} of {cust} checks the contract / {p2} signs for {cust2} / {p} of {cust} signs with a blue pen
M para|paraphrase
o {p} was turned down by {emp} / {emp} turned {p} down / {p} did not get the job at {emp}
c {emp} hired {p} / {p} got the job at {emp} / {emp} took {p} on
k {emp} declined {p}'s application / {p}'s application to {emp} was unsuccessful / {emp} decided against {p} / {emp} hired {p2}
M para|paraphrase
o {p} gave up smoking / {p} quit smoking / {p} stopped smoking
c {p} smokes again / {p} did not manage to stop and smokes / {p} lights one cigarette after another
k {p} does not smoke any more / {p} is off the cigarettes / {p} has been smoke-free for months / {p} smoked for years before stopping
M para|paraphrase
o the {svc} team missed the deadline / {svc} was not ready by the deadline / {svc} was delivered late
c {svc} was delivered before the deadline / the {svc} team met the deadline / {svc} was ready on the day
k {svc} was overdue / the {svc} team did not make it on time / {svc2} was delivered before the deadline / {svc} overran its deadline
M para|paraphrase
o the vote on {topic} was unanimous / nobody voted against {topic}, all were for it / everyone voted for {topic}
c the vote on {topic} was split / several people voted against {topic} / {topic} got through by one vote
k not one person voted against {topic} / there were no dissenting voices on {topic} / {p} voted for {topic} / the vote on {topic} was on {wd}
M para|paraphrase
o {p} forgot the meeting / {p} did not think of the meeting / the meeting slipped {p}'s mind
c {p} remembered the meeting and came / {p} did not forget the meeting
k {p} failed to remember the meeting / {p} did not turn up because {he} forgot / {p2} remembered the meeting and came
M para|paraphrase
o the {city} project lacks money / there is not enough money for the {city} project / the {city} project is underfunded
c the {city} project has more than enough money / the {city} project is fully funded / money is no issue for the {city} project
k the {city} project needs more money / money is short in the {city} project / the {city2} project is fully funded
M para|paraphrase
o {p} refuses to work with {p2} / {p} won't work with {p2} / {p} is unwilling to work with {p2}
c {p} is happy to work with {p2} / {p} works with {p2} gladly / {p} has no problem with working alongside {p2}
k {p} does not want {p2} on the team / {p} has no wish to work with {p2} / {p} is happy to work with {p3}
M detail|restate
o {p} moved to {city} / {p} has moved to {city}
c {p} never moved to {city} / {p} moved to {city2} rather than {city} / {p}'s move to {city} fell through
k {p} moved to {city} in {mon} with two suitcases and a cat / {p}'s things went to {city} by lorry / {p} found a flat in {city} near the park / it was {p} who moved to {city}, {p2} stayed
M detail|restate
o {svc} uses {tool} for its jobs / {tool} handles the jobs of {svc}
c {svc} uses {tool2} for its jobs / {svc} does its jobs without {tool} / {tool2} has taken the place of {tool} in {svc}
k {svc} uses {tool}, on {sm} workers, for its nightly jobs / it is {tool} that {svc} has for its jobs / {svc2} uses {tool2} for its jobs
"""
NUMBERS = r"""
A infra|the {svc} pool|cnt
= {S} has {V} hosts / {V} hosts make up {S} / ~{S} size: {V} / we run {V} hosts in {S}
> {S} was resized to {V} hosts / {p} set {S} to {V} hosts / {S} went from {O} to {V} hosts
n {S} serves {V} clients / {V} alerts came from {S} in {mon} / {S} has {V} open tickets
A fin|the rent for the {street} flat|money
= {S} is {V} / {V} is what you pay for {S} / ~{S}: {V} / the landlord charges {V}, that is {S}
> {S} was put up or down to {V} / the landlord changed {S} to {V} / {S} went from {O} to {V}
n the deposit for the {street} flat is {V} / the agent's fee for the {street} flat is {V} / moving into the {street} flat cost {V}
A fin|the {cust} contract|bigmoney
= {S} is worth {V} / the value of {S} is {V} / ~{S}: {V} / we get {V} from {S}
> {S} was renegotiated to {V} / {p} brought {S} to {V} / {S} went from {O} to {V}
n the penalty in {S} is {V} / {cust} has a credit line of {V} / our costs for {S} are {V}
A fin|the {topic} budget|bigmoney
= {S} is {V} / {V} is set aside for {S} / ~{S}: {V} / {S} amounts to {V}
> {S} was fixed at {V} / the board set {S} to {V} / {S} changed from {O} to {V}
n the {topic} loan is {V} / the {topic} prize is {V} / last year's {topic} costs were {V}
A fin|the {item}|money
= {S} costs {V} / the price of {S} is {V} / ~{S}: {V} / you pay {V} for {S}
> the price of {S} was changed to {V} / {p} repriced {S} at {V} / {S} went from {O} to {V}
n shipping {S} costs {V} / repairing {S} costs {V} / the old model of {S} cost {V}
A fin|the {veh}|money
= a day with {S} costs {V} / renting {S} is {V} a day / ~{S}, day rate: {V}
> the day rate of {S} was set to {V} / {p} changed the day rate of {S} to {V}
n the deposit for {S} is {V} / a new tyre for {S} costs {V} / the last repair of {S} was {V}
A people|@p|money
= {S} earns {V} a month / {S}'s monthly pay is {V} / ~{S}, pay per month: {V}
> {S}'s monthly pay was raised or cut to {V} / {S} renegotiated {his} monthly pay to {V}
n {S} pays {V} in rent / {S} won {V} in a raffle / {S} has {V} on {his} card
A work|the {team} meeting|min
= {S} takes {V} / {S} lasts {V} / ~{S}, length: {V} / we sit {V} in {S}
> {S} was cut or stretched to {V} / {p} set {S} to {V} / {S} went from {O} to {V}
n the coffee after {S} takes {V} / preparing {S} takes {V} / last {wd}, for once, {S} began {V} late
A travel|the drive to {city}|min
= {S} takes {V} / you need {V} for {S} / ~{S}: {V}
n the ferry to {city} takes {V} / {p} waited {V} before {S} / we had a break of {V} on {S}
A travel|the {city} train|min
= {S} needs {V} / a trip on {S} takes {V} / ~{S}, travel time: {V}
> with the new timetable {S} takes {V} / {S} went from {O} to {V} of travel time
n {S} was {V} late on {wd} / {S} runs every {V} / you have {V} to change to {S}
A sw|the {svc} build|min
= {S} takes {V} / a run of {S} lasts {V} / ~{S} duration: {V} / you wait {V} for {S}
> {p} brought {S} to {V} / {S} changed from {O} to {V} / with the new cache {S} takes {V}
n {S} times out after {V} / {S} started {V} ago / the deploy after {S} takes {V}
A sw|the {svc} logs|days
= {S} are kept for {V} / we store {S} for {V} / ~{S} retention: {V} / after {V} {S} are deleted
> the retention of {S} was set to {V} / {p} changed the retention of {S} from {O} to {V}
n {S} went missing for {V} / reading {S} took {p} {V} / backups of the {svc} database are kept for {V}
A cust|{cust}|days
= {S} pays within {V} / the payment term of {S} is {V} / ~{S}, payment term: {V} / {S} has {V} to pay
> the payment term of {S} was changed to {V} / {p} gave {S} {V} to pay
n {S} had a trial of {V} / {S} gets a reply within {V} / {S} closes for {V} in summer
A log|{vendor}|days
= {S} delivers within {V} / the lead time of {S} is {V} / ~{S}, lead time: {V} / you wait {V} for goods from {S}
> {S} changed its lead time to {V} / the lead time of {S} went from {O} to {V}
n {S} takes returns for {V} / {S} gives a warranty of {V} / {S} was on strike for {V}
A travel|the {city} trip|days
= {S} lasts {V} / {S} takes {V} / ~{S}: {V} / we are away for {V} on {S}
> {S} was cut or extended to {V} / {p} changed {S} from {O} to {V}
n {S} can be cancelled up to {V} before / {p} planned {S} for {V} / the visa for {S} took {V}
A law|the {cust} contract|months
= {S} runs for {V} / the term of {S} is {V} / ~{S}, term: {V} / {S} binds us for {V}
> the term of {S} was changed to {V} / {p} agreed on a term of {V} for {S}
n {S} took {V} to negotiate / the notice period in {S} is {V} / {S} was dormant for {V}
A home|the {appl}|months
= {S} has a warranty of {V} / the warranty on {S} is {V} / ~{S}, warranty: {V} / {S} is under warranty for {V}
n {S} was in storage for {V} / {S} is paid off over {V} / the spare part for {S} took {V} to come
A event|the {event}|date
= {S} is on {V} / {S} takes place on {V} / ~{S}: {V} / {V} is the day of {S}
> {S} was moved to {V} / {p} shifted {S} to {V} / {S} moves from {O} to {V} / the new date of {S} is {V}
n tickets for {S} are sold from {V} / the rehearsal for {S} is on {V} / last year {S} was on {V} / the bills for {S} are due on {V}
A work|the {svc} release|date
= {S} is due on {V} / {S} ships on {V} / ~{S}: {V} / {V} is release day for {S}
> {S} slipped or moved to {V} / {p} rescheduled {S} for {V} / {S} was moved from {O} to {V}
n the code freeze before {S} begins on {V} / the demo of {S} was on {V} / the release before {S} was on {V}
A school|the {subj} exam|date
= {S} is on {V} / {S} is written on {V} / ~{S}: {V} / pupils sit {S} on {V}
> {S} was moved to {V} / {p} put {S} on {V} and took it off {O}
n the {subj} trip is on {V} / the resit for {S} is on {V} / the sign-up for {S} ends on {V}
A health|{p}'s appointment at the {clinic} clinic|time
= {S} is at {V} / {p} has to be at the {clinic} clinic at {V} / ~{S}: {V}
> {S} was moved to {V} / the clinic changed {S} from {O} to {V}
n {p}'s bus leaves at {V} / the {clinic} clinic closes at {V} / {p}'s partner has an appointment at the {clinic} clinic at {V}
A event|the {event}|time
= {S} starts at {V} / {S} begins at {V} / ~{S}, start: {V} / be at {S} at {V}, when it starts
> the start of {S} was moved to {V} / {p} changed the start of {S} from {O} to {V} / {S} starts at {V} instead of {O}
n doors for {S} open at {V} / the rehearsal for {S} starts at {V} / the bus to {S} leaves at {V}
A comm|the {street} library|time
= {S} closes at {V} / closing time of {S} is {V} / ~{S} closes: {V} / you have to be out of {S} by {V}
> {S} changed its closing time to {V} / the council set the closing time of {S} to {V}
n {S} opens at {V} / the reading hour at {S} is at {V} / the café in {S} closes at {V}
A travel|flight {fl}|time
= {S} leaves at {V} / the departure of {S} is at {V} / ~{S} dep {V} / {S} takes off at {V}
> the departure of {S} was moved to {V} / {S} leaves at {V} and not at {O}
n {S} lands at {V} / check-in for {S} closes at {V} / boarding for {S} is at {V}
A sw|{svc}|ver
= {S} runs {V} / {V} of {S} is in production / ~{S}: {V} / production has {S} {V}
> {S} was upgraded or rolled back to {V} / {p} put {V} of {S} into production / {S} went from {O} to {V}
n {V} of {S} is on the test system / the docs describe {S} {V} / {V} of {S} is planned
A infra|the {svc} host|size
= {S} has {V} of memory / the memory of {S} is {V} / ~{S} RAM: {V} / {V} of memory is built into {S}
> {S} was given {V} of memory / {p} changed the memory of {S} from {O} to {V}
n {S} has {V} of free disk / {S} sends {V} of logs a day / a backup of {S} takes {V}
A infra|the {svc} bucket|size
= {S} holds {V} / {V} of data is in {S} / ~{S}: {V} stored
n the test copy of {S} has {V} / a year ago {S} held {V} / the machine next to {S} has {V} of memory
A sport|the {city} run|dist
= {S} is {V} long / {S} goes over {V} / ~{S}: {V} / at {S} you run {V}
> the course of {S} was changed to {V} / {S} changes from {O} to {V}
n the children's race at {S} is {V} / {p} trains {V} a day for {S} / the winter edition of {S} is {V} long
A home|{p}'s flat|dist
= {S} is {V} from the office / the way from {S} to the office is {V} / ~{S} to office: {V}
n {S} is {V} from the lake / {p} walks {V} from {S} to the bakery / {p} runs {V} every evening
A log|pallet {num}|weight
= {S} weighs {V} / the weight of {S} is {V} / ~{S}: {V} / {S} comes to {V} on the scales
> {S} was reweighed at {V} / the weight of {S} was corrected from {O} to {V}
n the pallet next to {S} weighs {V} / the crane for {S} weighs {V}
A food|the {food}|weight
= {S} needs {V} of flour / {V} of flour goes into {S} / ~{S}, flour: {V}
> {p} changed the flour in {S} to {V} / {S} gets {V} of flour instead of {O}
n {S} needs {V} of sugar / the tin for {S} weighs {V} / we bought {V} of potatoes to go with {S}
A food|the {food}|temp
= {S} bakes at {V} / the oven for {S} is at {V} / ~{S}, oven: {V}
n {S} should cool to {V} / the dough for {S} rises at {V}
A infra|the {city} server room|rtemp
= {S} is kept at {V} / the temperature in {S} is set to {V} / ~{S}: {V}
> {p} set {S} to {V} / {S} went from {O} to {V}
n {S} raises an alarm at {V} / outside {S} it is {V} / the corridor next to {S} is at {V}
A work|the {team} meeting|freq
= {S} takes place {V} / {team} holds its meeting {V} / ~{S}: {V} / {S} is held {V}
> {S} was changed and takes place {V} / {p} decided that {S} is held {V}
n {team} gets a report {V} / {team} has lunch together {V} / {team} sends a newsletter {V}
A infra|the {svc} backup|freq
= {S} runs {V} / we take {S} {V} / ~{S} schedule: {V} / {S} is taken {V}
> {S} was rescheduled and runs {V} / {p} changed {S} to run {V}
n a restore of {S} is tested {V} / {S} is reported on {V} / the {svc} logs are rotated {V}
A health|@p|freq
= {S} goes to physio {V} / {S} has physio {V} / ~{S}, physio: {V}
> {S}'s physio was changed and takes place {V}
n {S} calls {his} mother {V} / {S} goes swimming {V} / {S} has a check-up {V}
A cust|{cust}|freq
= we send {S} an invoice {V} / {S} is billed {V} / ~{S}, billing: {V}
> the billing of {S} was changed, {S} is billed {V} / {p} agreed to bill {S} {V}
n {p} phones {S} {V} / {S} gets a report {V} / {S} visits us {V}
A cust|{cust}|cnt
= {S} has {V} seats / {V} seats are licensed to {S} / ~{S}, seats: {V} / {S} pays for {V} seats
> {S} went to {V} seats / {S} changed from {O} to {V} seats / {p} set {S} to {V} seats
n {S} has {V} employees / {S} opened {V} tickets / {S} has {V} shops
A cust|{cust}|bigcnt
= {S} has {V} users / {V} people use {S}'s portal, these are its users / ~{S} users: {V} / the user count of {S} is {V}
> the user count of {S} went to {V} / {S} went from {O} to {V} users
n {S} sent us {V} records / {S} made {V} calls in {mon} / {S} imported {V} articles
A event|the {event}|bigcnt
= {V} people came to {S} / {S} had {V} visitors / ~{S} visitors: {V} / the head count of {S} was {V}
n {V} flyers were printed for {S} / the year before, {S} had {V} visitors / {S} earned {V} euros
A school|the {subj} class|cnt
= {S} has {V} pupils / {V} pupils are in {S} / ~{S}: {V} pupils / there are {V} pupils in {S}
> {S} went to {V} pupils / {S} went from {O} to {V} pupils
n {S} has {V} books / the class next to {S} has {V} pupils / the room of {S} has {V} chairs
A res|the {topic} study|bigcnt
= {S} has {V} participants / {V} people take part in {S} / ~{S}: n = {V}
> {S} went to {V} participants / {S} was changed from {O} to {V} participants
n {S} has {V} data points / a rival of {S} has {V} participants / {V} letters were sent for {S}
A sport|{club}|cnt
= {S} has {V} members / {V} people are members of {S} / ~{S}, members: {V}
> the membership of {S} changed to {V} / {S} went from {O} to {V} members
n {S} has {V} trophies / {S} won {V} games / {V} people came to the party of {S}
A fin|{cust}'s share in {vendor}|pct
= {S} is {V} / {cust} owns {V} of {vendor} / {V} of {vendor} belongs to {cust}
> {S} went to {V} / {cust} changed its stake in {vendor} to {V} / {S} went from {O} to {V}
n {p} owns {V} of {cust} / {vendor} makes {V} of its sales with {cust} / {V} of {cust} staff work in {city}
A work|{team}|pct
= {V} of {team} works from home / in {team}, {V} of the people work from home / ~{team} working from home: {V}
n {V} of {team} has a car / {V} of {team} is under thirty / {V} of {team} came to the party
A people|@p|len
= {S} is {V} tall / {S}'s height is {V} / ~{S}: {V} tall
n {S}'s brother is {V} tall / {S}'s jump was {V} / {S}'s desk is {V} wide
A home|the {room} table|len
= {S} is {V} long / the length of {S} is {V} / ~{S}: {V}
n the bench next to {S} is {V} long / the rug below {S} is {V} long / the {room} door is {V} high
A fin|the {cust} review|quarter
= {S} is in {V} / {S} takes place in {V} / ~{S}: {V} / {V} is when {S} is due
> {S} was moved to {V} / {p} shifted {S} from {O} to {V}
n the audit before {S} was in {V} / {cust} renews in {V} / {cust} signed in {V}
A sport|the last match of {club}|score
= {S} ended {V} / the result of {S} was {V} / ~{S}: {V}
> the result of {S} was corrected to {V}
n the friendly before {S} ended {V} / the first match of {club} ended {V} / the juniors of {club} played {V}
A people|@p|bday
= {S}'s birthday is {V} / {S} was born on {V} / ~{S}, birthday: {V} / {S} has {his} birthday on {V}
n {S} got married on {V} / {S}'s sister was born on {V} / {S} started a new job on {V}
A infra|{svc}|port
= {S} listens on port {V} / the port of {S} is {V} / ~{S}: {V}/tcp / you reach {S} on port {V}
> {S} was moved to port {V} / {p} changed the port of {S} from {O} to {V}
n the metrics of {S} are on port {V} / the database behind {S} is on port {V} / {S} was tested on port {V}
"""
CLASSES = r"""
H people|@p|country
g {S} lives in {G} / {S}'s home is in {G} / {G} is where {S} lives / ~{S}, lives in: {G} / {S} moved to {G} and lives there
x {S} lives in {X} / {S} has {his} home in {X} / {S}'s address is in {X} / ~{S}, home: {X} / {S} is settled in {X}
k {S} was on holiday in {X} / {S} has a cousin in {X} / {S} gave a talk in {X}
H cust|{cust}|country
g {S} is based in {G} / {S} has its head office in {G} / ~{S} HQ: {G}
x {S} is based in {X} / the head office of {S} is in {X} / {S} has its headquarters in {X}
k {S} has a sales rep in {X} / {S} was at a fair in {X} / {S} buys parts in {X}
H event|the {event}|country
g {S} takes place in {G} / {S} is held in {G} / this time {S} is in {G}
x {S} takes place in {X} / the host city of {S} is {X} / {S} is held in {X}
k the guests of {S} come from {X} / {S} was once held in {X} / {p} of {X} speaks at {S}
H travel|{p}'s holiday|country
g {S} this summer is in {G} / this summer {p} goes to {G} on holiday / ~{S} this summer: {G}
x {S} this summer is in {X} / {p} has a hotel in {X} for this summer's holiday / {p} spends this summer's holiday in {X}
k last year {S} was in {X} / {p} has a friend in {X} / {p} changed trains in {X} last year
H infra|{svc}|db
g {S} stores its data in {G} / {G} is behind {S} / {S} is backed by {G} / ~{S} storage: {G}
x {S} stores its data in {X} / {S} is backed by {X} / the data of {S} lives in {X} / ~{S} db: {X}
k {p} has tried {X} for a toy project / another team next to {S} uses {X} / {S} once exported a file for {X}
H infra|{svc}|cloudregion
g {S} runs in {G} / {S} is hosted in {G} / ~{S} location: {G}
x {S} runs in {X} / {S} is hosted in {X} / ~{S} region: {X}
k users of {S} sit in {X} / a cold copy of {S}'s backup is in {X}
H sw|{p}'s laptop|os
g {S} is {G} / {p} works on {G} / ~{S}: {G}
x {S} runs {X} / {X} is installed on {S} / {p}'s laptop has {X} on it
k {p}'s old desktop ran {X} / {p} reads a book about {X}
H event|the {event}|partday
g {S} is {G} / {S} takes place {G} / ~{S}: {G}
x {S} is at {X} / {S} starts at {X} / be there for {S} at {X}
k the bus back from {S} leaves the next day at {X} / ticket sales for {S} opened at {X}
H event|the {event}|weekpart
g {S} is {G} / {S} takes place {G} / {S} falls {G}
x {S} is on {X} / {S} takes place on {X} / ~{S}: {X} / {X} is the day of {S}
k the team for {S} meets on {X} / bills for {S} are paid on a {X}
H event|the {event}|quarter
g {S} is in {G} / {S} takes place in {G} / ~{S}: {G}
x {S} is in {X} / {S} takes place in {X} / {X} is the month of {S}
k planning for {S} began in {X} / last year {S} was in {X}
H people|@p|agegroup
g {S} is {G} / ~{S}, age: {G}
x {S} is {X} years old / {S}'s age is {X} / {S} turned {X} on {his} last birthday
k {S}'s aunt is {X} years old
H home|@p|vehicle
g {S} drives to work in {G} / {S}'s only car is {G} / the one car {S} owns is {G}
x {S}'s only car is a {X} / {S} drives a {X}, it is the only car {he} has
k {S}'s boss drives a {X} / {S} had a ride in a {X} on {wd}
H pet|{p}'s only pet|pet
g {S} is {G} / {p} has {G} and no other pet / ~{S}: {G}
x {S} is a {X} / the only animal {p} has is a {X}
k the neighbour of {p} has a {X} / {p} grew up with a {X}
H school|{p}'s only instrument|instr
g {S} is {G} / {p} plays {G} and nothing else / ~{S}: {G}
x {S} is the {X} / {p} plays the {X} and no other instrument
k {p}'s teacher plays the {X} / {p} likes to hear the {X}
H health|@p|meds
g {S} takes {G} and no other medicine / the only medicine {S} takes is {G}
x {S} takes {X} and nothing else / the only tablets {S} takes are {X}
k {S}'s father takes {X} / {S} read about {X} / years ago {S} took {X} for a month
H people|@p|job
g {S} works in {G} / {S}'s field is {G} / professionally {S} is in {G}
x {S} is a {X} / {S} works as a {X} / {S} earns {his} money as a {X}
k {S}'s mother was a {X} / {S} is married to a {X} / as a child {S} wanted to be a {X}
H fin|@p|paychan
g {S} paid the bill {G} / the bill was paid by {S} {G}
x {S} paid the bill {X} / {S} settled the bill {X}
k {S} tips {X} / {S}'s next bill will be paid {X}
H work|the interview with {p}|channel
g {S} is {G} / we hold {S} {G} / ~{S}: {G}
x {S} is {X} / {S} takes place {X} / we do {S} {X}
k the first chat with {p} was {X} / the interview with another candidate is {X}
H work|the {team} workshop|channel
g {S} is held {G} / {S} takes place {G} / ~{S}: {G}
x {S} takes place {X} / {team} does its workshop {X} / {S} is {X}
k the workshop of last year was {X} / the follow-up to {S} will be {X}
H log|shipment {num}|ship
g {S} goes {G} / {S} is sent {G} / ~{S}: {G}
x {S} goes {X} / {S} travels {X} / {S} is sent {X}
k the shipment before {S} went {X} / returns of {S} would go {X}
H people|@p|commute
g {S} gets to work {G} / {S} commutes {G} / ~{S}, commute: {G}
x {S} gets to work {X} / {S} goes to work {X} / every morning {S} comes to work {X}
k {S}'s partner gets to work {X} / {S} went to the party {X}
H food|@p|diet
g {S} is {G} / ~{S}, diet: {G}
x {S} eats {X} every week / {S} has {X} for lunch on most days / {S}'s favourite meal, eaten often, is {X}
k {S} cooked {X} for a friend and ate none / {S}'s partner eats {X}
H home|the {room} floor|material
g {S} is {G} / {S} is made of {G} / ~{S}: {G}
x {S} is {X} / {S} is made of {X} / we have {X} as {S}
k the shelf in the {room} is {X} / the {room} floor in the neighbours' flat is {X}
H cust|{cust}|sector
g {S} is in {G} / {S} is active in {G} only / ~{S}, sector: {G}
x {S} is a {X} / {S} makes its money as a {X} / {S} runs a {X} and nothing else
k {S} buys from a {X} / {S}'s neighbour is a {X}
H sw|{svc}|langkind
g {S} is written in {G} / {S} is implemented in {G}
x {S} is written in {X} / the code of {S} is {X} throughout / ~{S} lang: {X}
k {p} of the {svc} team learns {X} / a client for {S} is written in {X}
H school|{p}'s child|schoollevel
g {S} is {G} / ~{S}: {G}
x {S} is {X} / {S} is {X} this year
k the neighbours' child is {X} / {S} has a friend who is {X}
"""
if __name__ == "__main__": main()
