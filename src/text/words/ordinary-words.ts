import { stemmer } from "stemmer";

/** Words with which people ask and tell, whatever they ask about: rows seldom hold them, and they tell no row from another. */
const CHATTY =
  stemsOf(`ask anybody anyone anything bit bring called concerning detail details entry entries everything find
  give gave get got go happen happened hear heard idea info information know known look looking matter memory memories
  mention mentioned mentioning need note notes please record recorded regarding remember remind recall said say says saying
  search see show somebody someone something stuff talk talking tell thing things think use want word write written wrote`);

/** Stems of the commonest words of English; the table is printed by `bun scripts/ranking/ordinary-words.ts`. */
const ORDINARY = new Set(
  `
  abandon abil abl about abov academ academi accept access accid accord account achiev acquir acr across act action
  activ actor actress actual ad adam addit address administr admit adopt adult advanc advantag affair affect afraid
  africa african after afternoon ag again against agenc agent ago agre agreement agricultur ahead aid air aircraft
  airport al alan albert album alex alexand ali aliv all allen allianc allow almost alon along alongsid alreadi also
  altern although alwai am america american among amount an analysi ancient and anderson andrew angel anger angri ani
  anim ann anna anniversari announc annual anoth answer anthoni anti antonio anymor anyon anyth anywai apart appar
  appear appli applic appoint approach approv approxim april ar arab architect architectur area aren arena argu
  arizona arm armi around arrang arrest arriv art arthur articl artilleri artist as asia asian asid ask ass assembl
  assign assist associ assum at athlet atlant attach attack attempt attend attent attornei audienc august australia
  australian austria author avail avenu averag avoid awai awar award babi bachelor back background bad bag bai ball
  band bank bar bare base basebal basi basic basketbal bass battalion battl bbc bc be beach bear beat beauti becam
  becaus becom bed bedroom been beer befor began begin behavior behind believ bell below ben beneath berlin besid best
  better between beyond big biggest bill billboard billi billion bird birth bishop bit black block blood blue board
  boat bob bodi boi bond book border born boston both bottom bought bound bowl box brain branch brand brazil break
  breath brian brick bridg brief briefli brigad bright bring britain british broad broadcast broke broken bronz
  brother brought brown bu budget bui build built bureau buri burn busi but by cabinet california call cambridg came
  camera camp campaign campu can canada canadian canal cancer candid cannot capabl capac cape capit captain captur car
  card care career carefulli carolina carri case cash cast castl cat catch categori cathedr cathol caught caus cave cd
  cell cemeteri censu center centr central centuri ceremoni certain certainli chain chair chairman challeng chamber
  champion championship chanc chang channel chapel chapter charact charg charl charli chart chase check cheek chemic
  chest chicago chief child children chin china chines choic choos chose chosen chri christ christian christma church
  circl circuit citi citizen civil claim clark class classic clean clear clearli climat clock close closer cloth club
  cm co coach coal coast coat code coffe cold collect colleg colonel coloni color colorado columbia com combat combin
  come comedi comic command commerci commiss committe common commonli commun communist compani compar compet competit
  complet complex compos comput concept concern concert condit conduct confer confirm conflict confus congress connect
  conserv consid consist constant constitut construct contact contain contemporari content contest continu contract
  contribut control convent convers convert cool copi core corner corp corpor cost could couldn council count counter
  counti countri coupl cours court cover crazi creat creation credit creek crew cricket crime crimin crisi critic
  cross crowd crown cry cultur cup current cut cycl da dad dai daili damag damn dan danc danger daniel dark data date
  daughter dave davi david de dead deal dean death debut decad decemb decid decis declar dedic deep defeat defenc
  defens defin degre del deliv demand democrat densiti depart deputi der deriv describ design desir desk despit
  destroi detail determin develop devic di did didn die diego differ difficult digit dinner direct directli director
  disappear discov discoveri diseas displai distanc distinguish distribut district divid divis do doctor documentari
  doe doesn dog domest don done door doubl doubt dougla down downtown dr draft dragon drama draw drawn dream dress
  drew drink drive driver drop drove drug drum dry du due duke dure dutch duti dvd dynasti each ear earl earli earlier
  earn earth easi easili east eastern eat econom economi ed edg edit editor educ edward effect effort egypt eight
  either el elect electr electron element elementari eleven elizabeth els emerg emperor empir emploi employe empti en
  end enemi energi engag engin england english enough enter entertain entir entitl entranc entri environ environment
  ep episod equal equip era eric escap especi establish estat estim et etc europ european even event eventu ever everi
  everyon everyth evid evil ex exactli exampl except exchang execut exhibit exist expand expans expect experi
  experienc explain express extend extens extra extrem ey face facil fact factor factori faculti fail failur fair
  faith fall fallen fame famili familiar famou fan far farm fashion fast father favorit fc fear featur februari feder
  feed feel feet fell fellow felt femal festiv few fiction field fifteen fifth fight fighter figur file fill film
  final financ financi find fine finger finish fire firm first fish fit five fix flag flat fleet flight floor florida
  flow flower fly fm focu focus folk follow food foot footbal for forc ford foreign forest forev forget form formal
  format former formerli fort forward fought found foundat founder four fourth fox frame franc franci francisco frank
  frederick free freedom french frequent fresh friend friendli from front ft fuel full fulli fun function fund further
  futur ga gain galleri game garden gate gave gaze gene gener gentli genu georg georgia german germani get giant girl
  give given glanc glass global go goal god goe gold golden golf gone good gordon got gotten govern governor grab
  grace grade graduat grai grand grant great greater greatest greek green grei grew ground group grow grown growth
  guard guess guest gui guid guitar gun ha had hadn hair half hall hamilton hand handl happen happi hard harri hate
  have haven he head headquart health hear heard heart heat heavi heavili hei height held hell help henri her here
  heritag hero herself hi hidden hide high higher highest highli highwai hill him himself hip hire histor histori
  historian hit hockei hold hole holi hollywood home hong honor hope hors hospit host hot hotel hour hous household
  houston how howard howev huge human hundr hung hunter hurt husband ian ic idea ident identifi if ii iii illinoi imag
  immedi impact imperi import imposs improv in inc inch incid includ incom incorpor increas inde independ india indian
  indiana indic individu industri infantri influenc inform inhabit initi injur injuri inner insid inspir instal
  instead institut insur intellig intend interest interior intern internet interview into introduc introduct invas
  invest investig invit involv iran ireland irish iron is isbn island isn israel issu it itali italian item itself iv
  jack jackson jake jame jane januari japan japanes jason jazz jean jeff jersei jesu jew jewish jim jimmi job joe john
  johnni johnson join joint jone jordan jose joseph journal journalist journei jr juan judg juli jump junction june
  junior just justic kansa keep kei kelli kept kevin kg khan kid kill kilometr kim kind king kingdom kiss kitchen km
  knee knew knife knight know knowledg known kong korea korean la label labor labour lack ladi lai laid lake land lane
  languag lap larg larger largest last late later latin latter laugh launch law lawyer le lead leader leadership leagu
  lean learn least leav led lee left leg legal legisl length less let letter level lewi li liber librari lie lieuten
  life lift light like limit lincoln line link lip list listen literari literatur littl live ll lo loan local locat
  lock london long longer look lord lose loss lost lot loud loui love low lower ltd lucki luke ly lyric ma machin made
  magazin magic mai main mainli maintain major make male man manag manchest mani manner map march mari maria marin
  mark market marri marriag martin maryland mass massachusett massiv master match materi matt matter max maximum mayb
  mayor me mean meant medal media median medic medicin medium meet melbourn member memori men mental mention merg
  messag met metal method metr metropolitan mexican mexico mi michael michigan mid middl might mike mile militari mill
  miller million mind mine minist ministri minnesota minor minut mirror miss mission missouri mix mm mobil model
  modern mom moment monei month moon moor more morgan morn moscow most mostli mother motion motor mount mountain mouth
  move movement movi mr much multi multipl municip murder museum music musician muslim must my myself name narrow
  nation nativ natur naval navi near nearbi nearli necessari neck need neg neighborhood neither netherland network
  never new newli newspap next nfl nice nick night nine no nod nois nomin non none nor normal north northeast northern
  northwest norwai norwegian nose not notabl note noth notic novel novemb now nuclear number numer object observ
  obtain occupi occur ocean octob of off offer offic offici often oh ohio oil okai old older oldest olymp on onc onli
  onlin ontario onto open oper opera opinion opportun oppos opposit or orang orchestra order oregon organ origin other
  otherwis our out outsid outstand over overal own owner oxford pacif pack page pai paid pain paint painter pair
  pakistan palac pale palm paper parent pari parish park parliament part parti particip particular particularli
  partner partnership pass passeng past path patient patrick pattern paul peac peak pennsylvania peopl per percent
  perfect perform perhap period perman persian person personnel peter phase philadelphia philip philippin philosophi
  phone physic piano pick pictur piec pilot pink place plai plan plane planet plant plate platform player pleas
  pleasur plot plu pocket poet poetri point poland polic polici polish polit politician pool poor pop pope popul
  popular port portion portugues posit possibl post potenti power pp practic pre premier prepar presenc present presid
  presidenti press pressur pretti prevent previou previous price priest primari primarili prime princ princess princip
  prior prison privat prix prize pro probabl problem process produc product profession professor program programm
  progress project promin promis promot proper properti propos protect protein prove provid provinc provinci public
  publish pull purchas purpos push put qualifi qualiti quarter quebec queen queensland question quick quickli quiet
  quietli quit race radio rai rail railroad railwai rain rais ran rang rank rare rate rather re reach reaction read
  readi real realiti realiz realli rear reason receiv recent recogn recognit record red reduc refer refere reform
  refus regard regiment region regist regular rel relat relationship releas relief religi religion remain rememb remov
  renam replac repli report repres republ republican request requir rescu research reserv resid resign resist resourc
  respect respons rest restaur result retir retriev return reveal review revolut rich richard ride right ring rise
  risk river road robert rock roger role roll roman rome roof room rose round rout row royal rugbi rule run rural
  russia russian ryan safe safeti sai said saint sale sam same samuel san santa sarah sat saturdai save saw scale
  scene schedul school scienc scientif score scotland scott scottish screen sea search season seat second secondari
  secret secretari section sector secur see seem seen select self sell semi senat send senior sens sent separ septemb
  seri seriou serv servic session set settl settlement seven seventh sever sex sexual shadow shall shape share sharp
  she shift ship shirt shit shock shook shoot shop shore short shortli shot should shoulder show shown shut sick side
  sight sign signal signific silenc silent silver similar simon simpl simpli sinc sing singapor singer singl sir
  sister sit site situat six sixth size skill skin sky sleep slid slightli slow slowli small smaller smell smile smith
  snow so soccer social societi soft softli softwar sold soldier solid solo some somehow someon someth sometim
  somewhat somewher son song soon sorri sort sought soul sound sourc south southeast southern southwest soviet space
  spain spanish speak speci special specif speech speed spend spent spirit split spoke spoken sport spot spread spring
  squad squadron squar sr sri st stadium staff stage stai stair stand standard star stare start state statement
  station statu steel step stephen steve still stock stomach stone stood stop store stori storm straight strang street
  strength strike string strong struck structur student studi studio stuff stupid style sub subject subsequ succeed
  success successfulli such suddenli suffer suggest suit summer sun sundai super suppli support suppos suprem sure
  surfac surpris surround survei surviv sweden swedish sweet swiss switzerland sword sydnei system tabl take taken
  talk tall tank target task taught tax taylor teach teacher team tear technic technolog teeth televis tell temperatur
  templ ten tennesse tenni term territori test texa text than thank that the theater theatr thei their them theme
  themselv then theori there therefor these thi thick thin thing think third thirti thoma those though thought
  thousand threat three threw throat through throughout thu ti tight tim time tini tire titl to todai togeth told tom
  tomorrow tone tongu toni tonight too took top toronto total touch tour tournament toward tower town township track
  trade tradit traffic trail train transfer translat transport travel treati treatment tree tri trial trip troop
  trophi tropic troubl truck true trust truth try tunnel turkei turkish turn tv twelv twenti twice two type typic uk
  ultim un unabl uncl under underground understand understood union uniqu unit univers unknown unless unlik until up
  upon upper urban us usa user usual vallei valu vampir van varieti variou ve vehicl veri version via vice victor
  victori victoria video vietnam view villag violenc virginia vision visit visual vocal voic vol volum von vote vs wa
  wai wait wake wale walk walker wall walter want war ward warm warn washington wasn watch water wave we weak weapon
  wear weather web websit wed week weekend weekli weight well went were weren west western wet what whatev wheel when
  where whether which while whisper white who whole whom whose why wide wife wild will william wilson win wind window
  wine wing winner winter wisconsin wish with within without wolf woman women won wonder wood wooden word wore work
  worker world worldwid worri wors worst worth would wouldn wound wrap wrestl write writer written wrong wrote yard ye
  yeah year yellow yet york you young younger your yourself youth zealand zone
`.split(/\s+/),
);

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map((word) => stemmer(word)));
}

/** Whether a word only asks or tells. */
export const isChatty = (word: string): boolean => CHATTY.has(stemmer(word));

/** Whether a word is so common in English that one row may hold it by chance. */
export const isOrdinary = (word: string): boolean => ORDINARY.has(stemmer(word));
