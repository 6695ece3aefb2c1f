import type { Config } from '#config';
import { type SecretBook, SHORTEST_SECRET } from '#kernel';

/** Words that stand in many files for what they mean. */
const WORDS = new Set([
  'administrator', 'changeme', 'database', 'development', 'localhost', 'passw0rd', 'password', 'password1', 'postgres',
  'postgresql', 'production', 'superuser', '12345678', '123456789', '1234567890',
]); // prettier-ignore

/**
 * Teaches the book what the configuration holds that nobody else may see, and names the settings whose password anybody
 * would guess. Such a one is not learnt: blotted out wherever it stands, it would spoil files, prompts and commit
 * messages that mean the word, and keep nothing secret.
 */
export function learnSecrets(config: Config, book: SecretBook): string[] {
  const { models, checkpointKey, webhooks, databaseUrl, redisUrl } = config;
  const { anthropic, openai, compatible } = models;
  for (const key of [anthropic.key, openai.key, compatible.key, checkpointKey, webhooks.key]) book.learn(key);
  return Object.entries({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }).flatMap(([name, address]) => {
    const url = address === null ? null : new URL(address);
    if (!url || url.password === '') return [];
    const password = decodeURIComponent(url.password);
    if (isGuessable(password, url)) return name;
    book.learn(password);
    return [];
  });
}

function isGuessable(password: string, { username, hostname, pathname }: URL): boolean {
  const word = password.toLowerCase();
  const beside = [decodeURIComponent(username), hostname, decodeURIComponent(pathname.slice(1))];
  return password.length < SHORTEST_SECRET || WORDS.has(word) || beside.some((name) => name.toLowerCase() === word);
}
