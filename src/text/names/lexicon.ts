import { MONTH_FORMS, WEEKDAY_FORMS, WEEKDAYS } from "../dates/names.ts";
import { STOP_WORDS } from "../words/terms.ts";

/** A list written as text becomes a set of lower-case words; an underscore stands for the space of a name of two words. */
const set = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll("_", " ")),
  );

/** Words that begin sentences and replies, and so have a capital without being names. */
export const OPENERS: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...set(`absolutely according actually additionally ah aha allow almost alright already also although always amazing
  another anyone anything anyway apparently appreciate around ask asked assume awesome aww basically bet besides best better
  beautiful big bless bring brought build built call called came can't cannot certainly change changed check cheers choose
  clearly close come coming completely configure confirm congrats congratulations connect consider cool correct create
  created currently cute dear decided definitely delete deploy deployed describe despite dinner doing don't done due early
  earlier easy eight either else enable end enjoy enough ensure especially essentially even eventually every everyone
  everything exactly example excellent except exciting explain extract family fantastic few fifth final finally find fine
  finished first five fix fixed follow following food forget fortunately found four fourth friday friends frankly full
  fun funny generally get getting give given giving glad go goals going gone good gosh got grab gradually great guess guys ha haha
  half hang happy hard haven't he's head hear heard hello help her here's hey hi high hmm holy home honestly hope hopefully hour
  hours how's however huge hundred i'd i'll i'm i've idea ideally imagine important improve include including indeed
  install instead interesting interestingly it'll it's items its join joined jump keep kids kind know knowing large last
  lastly late lately later latest lead learn learned least leave left less let's life like likely list little long look
  looking looks lots love loved lovely lower luckily main maintain make makes making many maybe mean means meanwhile meet
  meeting meetings merge merged met might mind minor miss modern moments monday money morning most mostly move moved much
  music must myself name namely naturally nearly need needed needs neither never nevertheless new next nice night nine no
  nobody none nope normally note notes nothing notice now number obviously oh ok okay old older once one ones onto open
  opened original otherwise ouch overall own owned own part parts past people per perfect perhaps personally phew place
  plan planned planning plans play please plus point possibly pretty prior probably problem project provide pull push put
  question quick quickly quite ran rather read reading ready really recall recently regarding regardless relax remember
  reminder remove removed replace respond restart result results return review right roughly run running sadly said same
  saturday save saw say saying school second see seeing seems seen send sent separately set setting seven several shall
  share she's short should show sign similar similarly simply since sister six small so-called some somebody someday
  someone something sometimes somewhere soon sorry sounds speaking split spend spent start started starting stay step
  still stop store stuff such sunday super suppose sure surely switch take takes taking talk talked tell ten test tested
  tested testing thank thankfully thanks that'll that's them then there's therefore they'll they're thing things think
  third thirty thoughts three through throughout thursday thus till time times tip to-do today together tomorrow tonight
  totally touch tough toward towards train trust truly try trying tuesday turn turns twenty twice two typically ugh
  unfortunately unless unlike until update updated upgrade use used user users uses using usually verify very via visit
  visited wait waiting wake walk want wanted wants warm was watch watched watching way we'll we're we've weather
  wednesday week weekend weekends weeks welcome well went whatever what's when's where's whenever wherever whether which
  while who's whoever whole whoa why wish within without woah won won't wonderful work worked working works worry worst
  would wow write writing wrote yay yeah year years yep yes yesterday yet yikes you'll you're you've young yup yum`),
]);

/** Words before a name that greet or thank: whom they address, the statement is not about. */
export const GREETINGS = set(`hey hi hello hiya yo dear thanks thank thx cheers bye goodbye welcome congrats
  congratulations morning afternoon evening night sorry please oh wow yes yeah yep no ok okay sure absolutely definitely
  exactly totally aww gosh awesome cool great woohoo hooray yay nice`);

export const WEEKDAYS_AND_MONTHS: ReadonlySet<string> = new Set([
  ...WEEKDAY_FORMS,
  ...WEEKDAYS.map((name) => `${name}s`),
  ...MONTH_FORMS,
]);

/** Words with a capital by custom that name nothing a memory could be looked up by. */
export const CAPITAL_BY_CUSTOM = set(`i i'm i'd i'll i've god lord jesus internet web christmas easter mom mum mommy dad
  daddy mama papa grandma grandpa granny nana grandmother grandfather mother father sir madam ma'am mr mrs ms miss dr prof
  am pm ok okay tv pc cd dvd vs etc ie eg ps re fyi asap btw lol omg imo imho afaik eta tbd tba todo fixme note warning
  error info debug important not never always must and or but all no yes please do don't only q1 q2 q3 q4 id ids url urls
  uri ui ux api apis faq pdf csv html css http https json xml yaml usb gps ai ml it hr qa pr prs mr ci cd ad bc bce ce utc
  gmt pst est cst mst edt pdt cet get post put patch delete head select from where insert into update join null true false
  readme diy rip bbq xoxo u r`);

/** Titles and words of kinship: what follows is a person; alone they name nobody. */
export const TITLES =
  set(`mr mrs ms miss mx dr prof professor sir madam dame lord lady aunt auntie uncle grandma grandpa
  granny cousin coach judge captain officer sergeant rev reverend father sister brother mother saint detective president
  senator governor mayor chancellor king queen prince princess`);

export const ROLES = set(`ceo cto cfo coo cio cmo cpo ciso vp svp evp pm tpm sre dba`);

export const GREAT_ORGANISATIONS =
  set(`google microsoft amazon apple meta facebook netflix openai anthropic nvidia intel
  amd ibm oracle salesforce sap siemens bosch samsung sony nokia huawei tesla spacex uber lyft airbnb paypal stripe visa
  mastercard walmart ikea nike adidas starbucks mcdonalds disney pixar spotify twitter linkedin reddit github gitlab
  atlassian cloudflare shopify nasa unesco unicef nato who fda fbi cia nhs bbc cnn mit ucla harvard stanford yale
  princeton cambridge oxford deloitte accenture mckinsey goldman toyota honda bmw volkswagen boeing airbus lufthansa`);

export const ORGANISATION_ENDS =
  set(`inc incorporated corp corporation ltd limited llc llp plc gmbh ag sa bv oy ab group
  holdings bank university college school academy institute foundation hospital clinic company co association agency
  department ministry committee council church labs laboratories studios studio partners ventures capital airlines airways
  museum library club union society bureau authority board commission congress senate court police federation league
  orchestra choir team guild squad insurance media press publishing records bakery cafe restaurant hotel`);
export const ORGANISATION_STARTS = set("university bank institute ministry department museum school church");

export const PLACE_ENDS = set(`street avenue road boulevard lane drive park lake river beach island islands city county
  bay canyon valley airport bridge square ocean sea forest mountain mountains desert peninsula coast station harbor harbour
  port falls hills heights village town district province state republic kingdom states gardens plaza tower springs
  creek trail reef glacier`);
export const PLACE_STARTS = set(
  "mount mt lake river cape fort port gulf isle st san santa los las el saint new north south east west",
);
export const EVENT_ENDS = set(`conference summit festival marathon cup olympics parade workshop hackathon meetup expo
  convention fair gala tournament championship championships awards retreat offsite webinar symposium concert war
  election day`);
export const TECHNOLOGY_ENDS =
  set(`api sdk framework database db engine protocol browser compiler server client cli cloud
  os linux studio platform`);

export const TECHNOLOGIES =
  set(`python javascript typescript java kotlin swift ruby rust golang scala elixir erlang haskell
  clojure perl php matlab julia fortran cobol c++ c# f# .net dotnet sql nosql graphql grpc rest websocket websockets oauth
  jwt saml tls ssl ssh ftp smtp react angular vue svelte nextjs nuxt ember jquery bootstrap tailwind webpack vite babel
  eslint prettier node nodejs deno bun npm yarn pnpm express fastify nestjs django flask fastapi celery sqlalchemy alembic
  pydantic pandas numpy scipy matplotlib jupyter pytorch tensorflow keras spark hadoop airflow dbt snowflake databricks
  bigquery redshift spring hibernate maven gradle rails sinatra laravel symfony wordpress drupal docker kubernetes k8s helm
  istio terraform ansible puppet chef vagrant jenkins circleci travis argocd prometheus grafana datadog sentry splunk kibana
  logstash elasticsearch opensearch solr lucene kafka rabbitmq nats activemq zookeeper etcd consul vault nginx apache haproxy
  envoy traefik postgres postgresql mysql mariadb sqlite oracle mongodb cassandra dynamodb couchdb redis memcached neo4j
  influxdb clickhouse cockroachdb supabase firebase aws gcp azure ec2 s3 lambda heroku vercel netlify digitalocean linux
  ubuntu debian fedora centos alpine macos windows ios ipados android git svn mercurial bitbucket jira confluence slack
  notion trello asana figma photoshop excel powerpoint outlook zoom salesforce hubspot zendesk twilio sendgrid opentelemetry
  openapi swagger postman selenium cypress playwright jest pytest junit mocha vim emacs vscode intellij xcode powershell
  bash zsh unity unreal blender arduino raspberry chatgpt copilot gemini claude llama langchain huggingface chrome firefox
  safari iphone ipad macbook airpods playstation xbox nintendo kindle alexa siri`);

export const PLACES = set(`afghanistan albania algeria argentina armenia australia austria bangladesh belgium bolivia
  brazil bulgaria cambodia canada chile china colombia croatia cuba cyprus denmark ecuador egypt england estonia ethiopia
  finland france germany ghana greece guatemala hungary iceland india indonesia iran iraq ireland israel italy jamaica
  japan kazakhstan kenya korea kuwait latvia lebanon lithuania luxembourg malaysia malta mexico monaco mongolia morocco
  nepal netherlands nicaragua nigeria norway pakistan panama paraguay peru philippines poland portugal qatar romania russia
  rwanda scotland senegal serbia singapore slovakia slovenia somalia spain sweden switzerland syria taiwan tanzania
  thailand tunisia turkey uganda ukraine uruguay usa uk eu uae venezuela vietnam wales yemen zambia zimbabwe europe asia
  africa antarctica america oceania california texas florida oregon colorado arizona nevada utah ohio michigan illinois
  massachusetts pennsylvania connecticut vermont maine alaska hawaii montana idaho minnesota wisconsin kentucky tennessee
  alabama louisiana oklahoma kansas nebraska missouri maryland london berlin munich hamburg frankfurt cologne vienna
  zurich geneva bern basel rome milan venice naples turin lisbon porto madrid barcelona seville valencia amsterdam
  rotterdam brussels copenhagen oslo stockholm helsinki warsaw krakow prague budapest bucharest sofia athens istanbul
  ankara moscow kyiv dublin edinburgh glasgow manchester liverpool birmingham bristol leeds boston chicago seattle portland
  denver phoenix houston atlanta miami detroit philadelphia pittsburgh baltimore minneapolis nashville toronto montreal
  vancouver ottawa calgary tokyo osaka kyoto seoul busan beijing shanghai shenzhen taipei bangkok hanoi jakarta manila
  delhi mumbai bangalore bengaluru chennai hyderabad kolkata karachi lahore dhaka dubai doha riyadh tehran cairo lagos
  nairobi accra johannesburg casablanca melbourne brisbane perth adelaide auckland wellington lima bogota santiago quito
  caracas havana bali tuscany bavaria provence brittany sicily sardinia crete rio nyc us new_york new_zealand new_jersey new_orleans
  new_delhi new_mexico new_england san_francisco san_diego los_angeles las_vegas hong_kong south_africa south_korea
  north_korea saudi_arabia sri_lanka costa_rica puerto_rico north_carolina south_carolina west_virginia washington_dc
  mexico_city buenos_aires rio_de_janeiro cape_town tel_aviv united_states united_kingdom middle_east`);

/** Places that are given names too: which they are, only what stands around them tells. */
export const PLACE_OR_PERSON =
  set(`paris sydney austin florence charlotte jordan georgia virginia carolina brooklyn chelsea
  savannah madison dallas chad israel kenya india asia london santiago lincoln jackson carson`);

/** Words after which a place is likely, and words after which an organisation is. */
export const BEFORE_PLACE = set(
  "in near to from around across visit visiting visited toward towards into throughout outside inside",
);
export const PLACE_VERBS =
  set(`live lives lived living move moves moved moving based born fly flying flew travel travels
  travelled traveled travelling traveling trip drive drove headed located relocate relocated visit visited visiting hosted
  headquartered office offices hike hiked vacation holiday stay stayed flight`);
export const BEFORE_ORGANISATION = set("at for by from joined acquired founded");
export const ORGANISATION_VERBS =
  set(`work works worked working job intern interned internship joined joining hired employed
  acquired founded contract consultant employee engineer manager`);
export const PERSON_VERBS =
  set(`said says told tells asked asks thinks thought believes wants wanted loves loved likes liked
  prefers preferred hates hated mentioned suggested recommended called texted emailed wrote replied agreed disagreed decided
  enjoys lives lived married met reported complained resigned retired graduated explained confirmed insisted knows feels
  felt owns leads manages studies studied`);
/** Words before a name that say who somebody is to somebody. */
export const RELATIONS = set(`friend friends brother sister wife husband partner boyfriend girlfriend fiance fiancee son
  daughter mom mum mother dad father uncle aunt cousin nephew niece grandma grandpa boss manager colleague coworker
  teammate neighbor neighbour roommate teacher mentor therapist doctor dentist lawyer client engineer designer developer
  director lead architect analyst intern researcher author singer actor artist writer colleague chef named nurse`);

/** Languages, peoples and creeds: written with a capital, and things that can be spoken of. */
export const LANGUAGES =
  set(`english french german spanish italian chinese japanese korean arabic russian portuguese hindi
  latin greek dutch swedish turkish american british european asian african mexican indian canadian australian irish jewish
  christian muslim catholic buddhist`);

/** Small words inside names: "Bank of America", "Ludwig van Beethoven". */
export const INSIDE_NAMES = set("of de da di del della van von der den la le du al el bin ibn");

/** Words that a number belongs to. */
export const NUMBERED = set(`terminal room building gate phase level chapter sprint milestone tier floor highway route
  section step windows python java node android ios galaxy pixel gpt version release series model area studio apollo`);
