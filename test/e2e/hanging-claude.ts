/**
 * A program that behaves as claude does until its first call of a model, for which it waits for ever. It has a child of
 * its own; the reviewer `sde-iii` and its child do not listen to SIGTERM.
 */
export const HANGING_CLAUDE = `#!/usr/bin/env node
if (process.argv.includes('--version')) { console.log('2.1.197 (Claude Code)'); process.exit(0); }
const { readFileSync } = require('node:fs');
const { request } = require('node:http');
const { spawn } = require('node:child_process');
const { env: { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: token } } = process;
const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const prompt = readFileSync(0, 'utf8');
const system = readFileSync(argument('--append-system-prompt-file'), 'utf8');
const isDeaf = (system + prompt).includes('# Your role: sde-iii');
if (isDeaf) process.on('SIGTERM', () => undefined);
const deaf = "process.on('SIGTERM', () => undefined);";
spawn(process.execPath, ['-e', (isDeaf ? deaf : '') + 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
console.log(JSON.stringify({ type: 'system', subtype: 'init' }));
const body = { model: argument('--model'), max_tokens: 500, system, messages: [{ role: 'user', content: prompt }] };
const call = request(base + '/v1/messages', { method: 'POST', headers: { 'x-api-key': token } }, (answer) => answer.resume());
call.on('error', () => undefined).end(JSON.stringify(body));
setInterval(() => undefined, 1000);
`;
