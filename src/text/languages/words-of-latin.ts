/** Words that carry no subject of their own, with the words that ask, of languages in Latin letters; some without accents. */
export const WORDS_OF_LATIN = {
  de: `aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein deine
    deinem deinen deiner dem den denn der des dich die dir doch dort du durch ein eine einem einen einer eines er es etwas
    euch euer fur gab gegen genau gibt hab habe haben habt hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren
    ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine keinem keinen keiner konnen konnte man mein
    meine meinem meinen meiner mich mir mit muss mussen nach nicht noch nur ob oder ohne schon sein seine seinem seinen
    seiner seit sich sie sind so soll sollen sollte uber um und uns unser unsere unserem unseren unserer unter vom von vor
    wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werden weshalb wessen wie wieso
    wieviel will wir wird wo wofur woher wohin womit worauf woran woruber wovon wozu wurde wurden zu zum zur zwischen`,
  es: `a al algo alguna algunas alguno algunos ante antes aquel aquella asi aun cada como con contra cual cuales cuando
    cuanta cuantas cuanto cuantos de del desde donde dos durante e el ella ellas ellos en entre era eran eres es esa esas
    ese eso esos esta estaba estan estar estas este esto estos estoy fue fueron ha habia han hasta hay he la las le les lo
    los mas me mi mis mucho muy nada ni no nos nosotros nuestra nuestras nuestro nuestros o otra otro para pero poco por
    porque puede puedo que quien quienes se sea segun ser si sin sobre solo son soy su sus suyo tambien tanto te tiene
    tienen todo todos tu tus u un una unas uno unos usted y ya yo`,
  fr: `a afin ai aient ainsi alors apres as au aucun aucune aussi autre aux avait avant avec avez avoir avons c ca car ce
    ceci cela celle celles celui ces cet cette chaque chez combien comme comment d dans de depuis des doit donc dont du
    elle elles en encore entre es est et etaient etait etant etc ete etes etre eu eux fait faut il ils j je l la laquelle
    le lequel les lesquelles lesquels leur leurs lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par
    parce pas peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sous
    sur t ta tes toi ton tous tout toute toutes tres tu un une va vers vos votre vous y`,
  pt: `a agora ainda alem algum alguma algumas alguns ao aos apos aquela aquele aquilo as ate cada com como contra cuja cujo
    da das de dela dele deles depois desde dessa desse desta deste disso do dos durante e ela elas ele eles em entre era
    eram essa essas esse esses esta estamos estao estar estas estava estavam este estes estou eu foi foram ha isso isto ja
    la lhe lhes lo mais mas me mesma mesmo meu meus minha minhas muita muito na nada nao nas nem nenhum nessa nesse nesta
    neste no nos nossa nossas nosso nossos num numa o onde os ou outra outro outros para pela pelas pelo pelos pode por
    porem porque pra pro qual quais qualquer quando quanta quantas quanto quantos que quem se seja sem sempre sendo ser
    sera seu seus so sob sobre sua suas tambem tao tem temos tenho ter teu tinha tive toda todas todo todos tu tua um uma
    umas uns vai vamos voce voces`,
  it: `a abbiamo ad agli ai al alla alle allo allora anche ancora avere aveva avevano c che chi ci cio come con contro cosa
    cosi cui da dagli dai dal dalla dalle dallo degli dei del della delle dello dentro deve di dopo dove dov dunque e ed
    era erano essere fa fino fra gia gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mentre mi mia mie
    miei mio molto ne negli nei nel nella nelle nello nessuno noi non nostra nostre nostri nostro o ogni ora per perche
    pero piu poco poi prima puo qual quale quali qualche quando quanta quante quanti quanto quel quella quelle quelli
    quello questa queste questi questo qui quindi sara se sei sempre senza si sia siamo sono sopra sotto sta stata state
    stati stato su sua sue sugli sui sul sulla sulle sullo suo suoi tra tu tua tue tuo tuoi tutta tutte tutti tutto un una
    uno va vi voi`,
  nl: `aan af al alle alleen allemaal als altijd andere ben bij daar daarna dan dat de deze die dit doen doet door dus een
    eens en er ge geen geweest haar had hadden heb hebben heeft hem het hier hij hoe hoeveel hun ie iemand iets ik in is
    ja je jij jouw jullie kan keer kon kunnen maar mag me mee meer men met mij mijn moest moet moeten mogen na naar niet
    niets nog nooit nou nu of om omdat onder ons onze ook op over per reeds s sinds steeds t te tegen ten toch toen tot
    tussen u uit uw van veel vanaf via voor vooral waar waarom waarmee waarvan wanneer waren was wat we wel welk welke
    werd werden wie wij wil willen worden wordt zal ze zelf zich zij zijn zo zoals zonder zou zouden zullen`,
  sv: `all alla allt att av bara blev bli blir da dar darfor de dem den denna deras dess dessa det detta dig din ditt dock du
    efter ej eller en er ett fick finns for fore fran genom gor ha hade han har hans hela hennes henne hon honom hos hur
    hursa i igen in inga ingen inget innan inte jag kan kunde man mans med mellan men mer mera mest mig min mina mitt mot
    mycket nar nara ni nu nagon nagot nagra och ocksa om oss over pa sa sadan samma sedan sig sin sina sitt ska skall
    skulle som tills till tva upp under ut utan vad vara var varfor varit varje vars vart vem vet vi vid vilka vilken
    vilket vill vår an annan annat ar aven`,
  da: `ad af al alle alt altid anden andet at baade bare begge blev blive bliver da de dem den denne der deres det dette dig
    din dine disse dit dog du efter ej eller en end er et fa far fik flere for fordi fra gor ham han hans har havde have
    hende hendes her hos hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornar i igen ikke ind ingen
    intet ja jeg jer jeres kan kun kunne lige man mange med meget men mens mere mig min mine mit mod ma naar nar ned nej
    noget nogle nogen nu ny og ogsa om op os over pa sa saadan samme selv ses sig sin sine sit skal skulle som stadig til
    tit ud uden under vaere vaeret var ved vi vil ville vor vores vaer`,
  no: `alle andre annen at av bare begge ble blei bli blir blitt da de deg dei deim deira den denne der dere deres det dette
    di din disse ditt du eg ein eller en enn er et ett etter for fordi fra far fikk ga ha hadde han hans har henne hennes
    her hos hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor i ikke ikkje ingen inn ja jeg kan kom kun kunne
    lage lik litt man mange med meg meget mellom men mens mer mest mi min mine mitt mot mye ma na nar ned nei noe noen nok
    nu ny og ogsa om opp oss over pa sa samme seg selv si sia siden sin sine sitt skal skulle slik som til ut uten under
    ved vere verken vi vil ville vore vors vort vaere vaert var`,
  fi: `ei eivat eli emme en ennen ensi enta eri ette etta etten ettei he heidan heille heita han hanen hanelle hanta ihan
    itse ja jo joiden johon joista joita joka jonka jos joskus jossa josta jota jotka jotta juuri kai kaikki kanssa ketka
    koko koska kuin kuinka kuka kun kuten kyllä liian mihin miksi milloin millainen minka mina minua minulle minun missa
    mista mita mitka molemmat muu muut mutta myos me meidan meille meita mika miten ne niiden niille niin niissa niista
    niita noin nuo nyt nama naiden oikein olen olemme olet oli olivat ollut olla on onko oma ovat paitsi sama se sehan
    sekä sen siihen siina siita siis sille silla sina sinua sitten sita tama taman tassa tasta tata te teidan teille
    todella tulee tuli tuo vaan vaikka vain vasta viela voi voidaan voivat vuoksi yli`,
  ro: `acea aceasta aceste acestea acest acestei acestor acestui acolo acum ai al ala ale alea alt alta am ar are as asa asta
    astfel asupra atat ati atunci au avea avem aveti avut azi ba ca cand care cat cate cati catre cam ce cea cei cel cele
    celor chiar cine cu cum cumva da daca dar dat de deci deja din dintre dintr doar dupa e ea ei el ele era este eu
    exista face fara fi fie fiecare fost i ia iar il imi in inainte inca insa intre intr isi iti la le li lor lui m ma mai
    mea mei mele meu mi mult multe ne ni nici nimic niste noastra nostri nostru noi nou nu numai o odata oricare pe pentru
    peste poate pot prea prin printr s sa sau se si sub sunt suntem spre ta tai tale tau te ti toata toate tot toti totul
    tu un una unde unei unele unor unui unul va vai voi vom vor vostru`,
  hu: `a abba abban addig ahhoz ahogy ahol aki akik akkor alatt altal am ami amely amelyek amelyet amig amikor annak annyi
    arra arrol at az azok azon azonban azt aztan azzal be belul benne bar csak de e eddig egesz egy egyeb egyes egyik
    egyre el eleg elott eloszor en ennek erre errol es esetben ett ez ezek ezen ezert ezt ezzel fel fele ha hanem hat hogy
    hogyan hol honnan hozza igen igy ilyen is itt jo jol kell kellett keresztul ki kik kivul kozott kozul le lehet
    lehetett lenne lesz lett ma maga magat majd mar mas masik meg megint mellett melyek mely mert mi miatt miert mig mikor
    milyen minden mindig mint mit mivel mostanaban mennyi most nagyon ne neha nehany nekem neki nelkul nem nincs o ok oket
    olyan on ott ossze persze rajta ra s sajat se sem semmi sok sokat sokkal szamara szemben szerint szinte talan tehat
    teljes tobb tovabb ugy ugyanis utan utana vagy vagyis vagyok valaki valami van vannak vele vissza viszont volt voltak
    volna`,
  tr: `acaba ama ancak arada asla aslinda az bana bazen bazi belki ben beni benim beri bes bile bir bircok biri birkac birsey
    biz bize bizi bizim boyle bu buna bunda bundan bunlar bunu bunun burada cok cunku da daha dahi de defa degil diger
    diye dolayi eger en etmek fakat falan gibi gore hala hangi hani hatta hem henuz hep hepsi her hic icin iki ile ilgili
    ise iste kac kadar karsi kendi kere kez ki kim kimi kimse madem mi mu musun nasil ne neden nedenle nerede nereye nicin
    niye o olan olarak oldu oldugu olmak olmasi olsa olup olur on ona ondan onlar onlara onu onun oysa oyle pek ragmen
    sadece sanki sen seni senin siz size sizi sizin sonra su suna sunu tarafindan tum uzere var ve veya ya yani yerine
    yine yok yoksa zaten`,
  pl: `a aby ale az bardzo bez bo by byc byl byla byli bylo byly beda bedzie bede chce ci cie ciebie co cos czy czyli daleko
    dla dlaczego dlatego do dobrze go gdy gdyz gdzie i ich ile im inna inne inny innych iz ja jak jaki jakie jako je jeden
    jedna jednak jego jej jemu jesli jest jestem jeszcze jezeli juz kazda kazdy kiedy kto ktora ktore ktorego ktorej ktory
    ktorych ktorym ktorzy lub ma maja mam mi mimo miedzy mna mnie moga moj moja moje moze mozna mu musi my na nad nam nami
    nas nasz nasza nasze natomiast nawet nia nic nich nie niego niej nigdy nim niz no o obok od ok on ona one oni ono oraz
    pan po pod podczas poniewaz poza przed przede przez przy roku raz sa sam sie skad soba sobie sposob swoje swoj ta tak
    taka taki takie takze tam te tego tej temu ten teraz to toba tobie totez trzeba tu tutaj twoj twoja ty tych tylko tym
    u w wam wami was wasz we wedlug wiele wielu wiec wlasnie wszystkie wszystko wtedy wy z za zawsze ze zeby znow znowu
    zostal zostala zostalo`,
  cs: `a aby aj ale ani asi az bez bude budem budes by byl byla byli bylo byt ci co coz dal dalsi dnes do ho i jak jako je
    jeho jej jeji jejich jen jeste ji jine jiz jsem jses jsme jsou jste k kam kazdy kde kdo kdy kdyz ke ktera ktere kterou
    ktery kteri ku ma mate me mezi mi mit mne mnou muj muze my na nad nam nas nasi ne nebo nebot necht nejsou neni nez nic
    o od ode on ona oni ono po pod podle pokud pouze prave pro proc proto protoze prvni pred prede pres pri s se si sice
    sve svuj svych svym ta tak take takze tato tedy te ten tento teto tim timto to tohle toho tohoto tom tomto tomuto tu
    tuto tvuj ty tyto u uz v vam vas vase ve vice vsak vsechno vsechny vy z za zda zde ze`,
  id: `ada adalah agar akan aku anda antara apa apakah atas atau bagaimana bagi bahwa banyak belum beberapa begitu berapa
    bisa boleh bukan dalam dan dapat dari dengan di dia dong hal hanya harus hingga ia ini itu jadi jangan jika juga kalau
    kami kamu kapan karena ke kemudian kepada kita lagi lah lain lalu lebih maka mana masih mengapa menjadi mereka namun
    oleh pada paling para pernah pun saat saja sangat saya seperti sebagai sebelum sebuah sedang sehingga sejak selalu
    semua sendiri seorang serta sesuatu setelah setiap siapa sudah supaya tanpa tapi telah tentang tersebut tetapi tidak
    untuk yaitu yang`,
  vi: `anh bi boi cac cai can cang chi chieu cho chu chua chung co con cua cung da dang day de den di do doi duoc duoi gi
    giua hay hom hon khi khong la lai lam len luc ma moi mot nao nay nen neu ngay nguoi nhieu nhu nhung noi nua o phai qua
    ra rang rat roi sau se tai tat the thi tren trong truoc tu va van vao vay ve vi voi vua`,
} as const;
