/**
 * The rows of histories that are looked for long afterwards: when a person was asked and what was decided, caps,
 * commands and what became of them, whom notes reached. In a row an event begins as `["type",{`, which no text in it can:
 * there a quote is escaped. One index has these rows, as each further one makes every write of a history dearer; a query
 * says this word for word beside what it looks for.
 */
export const NOTABLE = String.raw`events ~ '\["(gate\.opened|gate\.decided|project\.waits|project\.held|checkpoint\.restored|budget\.changed|note\.delivered|command\.re|signal\.)'`;
