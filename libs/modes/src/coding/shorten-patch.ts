/** Written by tools: long, and hardly worth reading. */
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock)$|\.min\.(?:js|css)$|\.(?:map|snap)$/;
const HEADER = /^diff --git .* b\/(.*)$/m;

/** The beginning of a patch, with the files last that tools write: a long lock file would leave no room for the code. */
export function shortenPatch(patch: string, longest: number): string {
  if (patch.length <= longest) return patch;
  const sections = patch.split(/^(?=diff --git )/m);
  const isGenerated = (section: string): boolean => GENERATED.test(HEADER.exec(section)?.[1]?.replace(/"$/, '') ?? '');
  const [last, first] = [sections.filter(isGenerated), sections.filter((section) => !isGenerated(section))];
  return [...first, ...last].join('').slice(0, longest);
}
