/** File stems and words that appear in most repositories and requests: to share one of them means nothing. */
const WORDS = `
a about above add added adding after again all allow also always an and any api app are argument arguments array as ask
at auto back bad base be because before begin being below between bin body bool boolean both bug build but by bytes call
called calls can case cases change changed changes check checks ci class clean cli client code command common config
const core count create data date default define delete demo dev did dist do doc docs does done down each edit else empty
end ensure entry env error errors even event every example examples exit expect expected export extra fail failed failing
fails failure false field file files find first fix fixed fixes flag folder for format found from full function functions
general get gets give global go good green handle has have helper helpers here home how http if import improve in include
index info init inner input inside install instead int integration into is issue it item items its job js json just keep
key keys kind last later left lib library like line lines link list load local log long look main make makes many map
message method misc missing mode model module modules more most move must name named names need needs never new next no
node none nor not note nothing now npm null number numbers object of off ok old on once one only open option options or
order other our out output over own package page part parts pass passed passes passing path per place plan please plugin
print process program project proper property public put python read readme ready really red remove rename render replace
report request require reset result results return returns right root route rule rules run runner running runs safe same
save script scripts second see send server service set sets setup should show shows simple since size small so some sort
source spec specs src start state static status step steps still stop string strings style suite support sure system table
take task test tests text than that the their them then there these they thing this those time to too tool tools top true
try type types undefined under unit until up update use used user users uses using util utilities utils valid value values
var version very view wait want was way we well were what when where which while who why will with within without word
words work worker working works would wrong yes yet you your
`;

const COMMON: ReadonlySet<string> = new Set(WORDS.split(/\s+/));

/** Names of several words that outputs of any test may have: errors, matchers, frames of runners. */
const COMMON_SYMBOL =
  /(?: error| exception| failure)$|^(?:to |not to |assert |strict |deep |test context|java script|type script|git hub|node modules|node js|object is)/;

const SHORTEST = 3;

/** Whether a name of one word, or of several with spaces between, says too little to connect two texts. */
export const isCommon = (key: string): boolean =>
  key.includes(' ') ? COMMON_SYMBOL.test(`${key}`) : key.length < SHORTEST || COMMON.has(key);
