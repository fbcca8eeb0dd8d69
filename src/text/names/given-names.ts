/** Common given names of many countries: what makes a capital at the start of a sentence a person. Words that are as often no name are left out. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `aaron abby abdul abdullah abigail abraham ada adam adele adrian adriana agnes ahmad ahmed aidan aiden aisha akira alan
  albert alberto alejandra alejandro alessandro alex alexa alexander alexandra alexei alexis alfred ali alice alicia alina
  alison allan allen allison alyssa amal amanda amara amber amelia amina amir amit amy ana anastasia anders andre andrea
  andreas andrei andrew andy angela angelica angelo angie anika anil anita anjali ann anna anne annette annie anthony
  antoine anton antonio anya ariana arjun armando arnold arthur arturo arun ashley astrid audrey aurora ava axel barbara
  bastian beatrice becky ben benjamin bernard bernd beth bethany betty bianca bjorn bob bobby boris brad bradley brandon
  brenda brendan brian bridget britney bruce bruno bryan caitlin caleb calvin cameron camila camille carl carla carlos
  carmen carol carolina caroline carolyn carrie casey catherine cecilia celine cesar charles charlie charlotte chen chiara
  chloe chris christian christina christine christoph christopher cindy claire clara clarence claudia claudio clement
  colin connor conor constance cora cornelia corinne craig cristina curtis cynthia dale damian damien dan dana daniel
  daniela danielle danny daphne darius darren dave david deborah debra dennis derek diana diane diego dieter dimitri dina
  dmitri dolores dominic dominik don donald donna dora doris dorothy doug douglas duncan dylan eddie edgar edith edmund
  eduardo edward edwin eileen elaine elena eleanor elias elif elijah elisa elisabeth elise eliza elizabeth ella ellen
  elliot elsa elvira emil emilia emilio emily emma emmanuel enrique eric erica erich erik erika erin ernesto ernst esther
  ethan eugene eva evan evelyn fabian farah farid fatima felicia felipe felix ferdinand fernando fiona francesca francesco
  francis francisco frank frankie franz fred freddie frederic frederick frida friedrich gabriel gabriela gabriele gareth
  gary gavin gemma gene geoffrey george gerald gerard gerhard gianna gilbert gina giovanni giulia glen glenn gloria gordon
  grace graham greg gregor gregory greta guido guillermo gustav gustavo guy hana hanna hannah hans harold harriet harry
  hasan hassan heather hector heidi heinrich helen helena helga henri henrik henry herbert hiro hiroshi howard hugh hugo
  ian ibrahim ida ignacio igor ilse imran ines ingrid irene irina iris isaac isabel isabella isabelle isaiah ismail ivan
  ivy jack jackie jackson jacob jacqueline jacques jaime jake jakob james jamie jan jana jane janet janice jared jasmine
  jason javier jay jean jeff jeffrey jennifer jenny jeremy jerome jerry jesse jessica jessie jill jim jimmy joan joanna joe
  joel johan johanna johannes john johnny jon jonas jonathan jordan jorge jose josef joseph josh joshua joy joyce juan
  juanita judith judy jules julia julian juliana julie juliet julio julius jun june jurgen justin kai kamal karen karim karin
  karina karl karla kate katherine kathleen kathryn kathy katie katrina kavya kay kayla keith kelly kelvin ken kenji
  kenneth kerry kevin khalid kim kimberly klaus kofi kristen kristin kristina kurt kyle lana lara larissa larry lars laura
  lauren laurence laurent lea leah lee leif leila leo leon leonard leonardo leonie leroy leslie lewis li liam lidia lily
  lin lina linda lindsay linus lionel lisa liz lloyd logan lois lola lorenzo lori louis louisa louise luc luca lucas lucia
  lucy luigi luis luisa lukas luke luna lydia lynn mabel madeleine mae maggie magnus mahmoud maja malcolm malik mandy
  manuel manuela marc marcel marcela marcia marco marcos marcus margaret margarita margot maria mariam marian mariana
  marianne marie marilyn marina mario marion marisa marjorie markus marlene marta martha martin martina marvin mary
  mason mathias matilda matt matteo matthew matthias maureen maurice mauricio max maxim maya megan mehmet mei mel melanie
  melissa mercedes mia michael michaela michel michele michelle miguel mika mike mikhail milan mildred miles milo mina
  ming mira miranda mirela miriam mitchell mohamed mohammad mohammed moira molly mona monica monika morgan moritz muhammad
  mustafa nadia nadim nadine nancy naomi natalia natalie natasha nate nathan nathaniel neil nelson nia niamh nicholas nick
  nicola nicolas nicole nigel nikita nikolai nina noah noel noemi nora norman nuria olaf oleg olga oliver olivia omar
  oscar oskar otto owen pablo paige pamela paolo pat patricia patrick paul paula pauline pavel pedro peggy penelope percy
  pete peter petra phil philip philipp philippe phillip phoebe pia pierre pilar piotr priya quentin quinn rachel rafael
  rahul raj rajesh ralph ramon randy raphael raquel rashid raul ravi raymond rebecca regina reinhard renata rene ricardo
  richard rick ricky rita rob robert roberta roberto robin rochelle rodrigo roger rohan roland roman ron ronald rosa
  rosalind rosemary ross roxanne roy ruben rudolf rupert russell ruth ryan sabine sabrina sadie sally salma salvador sam
  samantha samir samuel sandra sandy sanjay sara sarah sasha saul scott sean sebastian selena serena sergei sergey sergio
  seth shane shannon sharon shaun shawn sheila shelley sherry shirley sidney sigrid silvia simon simone sofia sonia
  sophia sophie spencer stacy stan stanley stefan stefanie stella stephanie stephen steve steven stuart sue sunil susan
  susanne suzanne sven sylvia takashi tamara tania tanya tara tariq tatiana ted terence teresa terry thea theodore theresa
  thomas tiffany tim timothy tina tobias toby todd tom tomas tommy toni tony tracy travis trevor tristan troy tyler ulrich
  ulrike uma ursula valentina valerie vanessa vera verena veronica vicky victor victoria viktor vijay vikram vincent
  viola violet virginia vivian vladimir walter wanda wanjiru warren wayne wei wendy werner wesley whitney wilhelm
  will willem william willie wolfgang xavier ximena yan yasmin yasmine yolanda yoko yuki yuri yusuf yvette yvonne zach
  zachary zara zoe zofia`.split(/\s+/),
);

/** Given names that are words too: at the start of a sentence only a verb of speech or the like makes them a person. */
export const NAMES_AND_WORDS: ReadonlySet<string> = new Set(
  `april art august autumn bill chase chip daisy dawn dean drew faith frank gene grace grant guy harmony hazel heather
  holly hope hunter iris ivy jack jay jasmine joy june kay lance lee lily mark max may miles mike norm olive pat pearl
  penny pepper rain ray rich rob robin rocky rose ruby rusty sandy sky stormy sue summer sunny violet wade ward will win
  woody`.split(/\s+/),
);
