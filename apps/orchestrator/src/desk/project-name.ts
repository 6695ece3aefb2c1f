const IDLE_WORDS = new Set(
  (
    'a an the to of in on at for and or with from by into please can could would should be is are it its this that ' +
    'add make create implement new my our your we i'
  ).split(' '),
);
const LONGEST_SLUG = 30;

/** `NNN-` and the first three words of the request that say something. */
export function projectName(number: number, request: string): string {
  const words = request
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !IDLE_WORDS.has(word));
  const chosen = (telling.length > 0 ? telling : words).slice(0, 3).join('-').slice(0, LONGEST_SLUG).replace(/-+$/, '');
  return `${String(number).padStart(3, '0')}-${chosen === '' ? 'project' : chosen}`;
}
