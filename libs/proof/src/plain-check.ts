/** Programs that read no setting of the repository, followed by the script that they run. */
const PLAIN = /^(?:node(?: --test)?|bash|sh) [\w./-]+$/;

/** Package managers, runners and build tools. They do what files of the repository say, and a change may rewrite those. */
const TOOL =
  /\b(?:npm|npx|pnpm|pnpx|yarn|bunx?|deno|corepack|vitest|jest|mocha|ava|tap|playwright|cypress|karma|nx|turbo|lerna|pytest|unittest|tox|nox|uv|poetry|python3?|make|cmake|ctest|just|task|cargo|go|mvn|gradlew?|bazel|rake|rspec|bundle|phpunit|composer|dotnet|swift)\b/i;

/** Those of them that are no words of plain English. */
const TOOL_BY_NAME =
  /\b(?:npm|npx|pnpm|pnpx|yarn|bunx|vitest|jest|mocha|playwright|cypress|pytest|unittest|tox|nox|poetry|ctest|cargo|mvn|gradlew?|rspec|phpunit)\b|\bmake (?:tests?|check|coverage|lint|build|ci)\b/i;

interface PlainCheck {
  readonly command: string;
  readonly files: readonly { readonly content: string }[];
}

/**
 * Whether nothing but a check itself decides how it runs. If so, no setting of a change can make it pass: only the files
 * that it looks at can.
 */
export const isPlainCheck = ({ command, files }: PlainCheck): boolean =>
  PLAIN.test(command.trim()) && !files.some(({ content }) => TOOL.test(content));

/**
 * Whether a part of a request is about how something is run, by the words that the plan gives it: they name a tool, as in
 * `npm test`, or one of these files. Then a changed setting may be the very work.
 */
export const isAboutSettings = (words: string, files: readonly string[]): boolean =>
  TOOL_BY_NAME.test(words) || files.some((path) => words.includes(path.slice(path.lastIndexOf('/') + 1)));
