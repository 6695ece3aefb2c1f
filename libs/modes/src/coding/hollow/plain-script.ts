const LITERAL = String.raw`'[^'\\]*'|"[^"\\]*"|\x60[^\x60\\$]*\x60|[\d.]`;
const SAYS = String.raw`(?:console\.\w+|print|process\.stdout\.write)\((?:${LITERAL}|[\s,+])*\)`;
const ENDS = String.raw`(?:process\.|sys\.)?exit\(0?\)|import sys|pass`;
/** There is one way to read a text by it, so it takes no longer than the text is long. */
const PLAIN = new RegExp(`^(?:[\\s;]|${SAYS}|${ENDS}|${LITERAL})*$`);

/** A script of JavaScript or Python that does nothing but say what is written in it, and so cannot fail. */
export const isPlainScript = (script: string): boolean => PLAIN.test(script);
