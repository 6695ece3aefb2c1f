/**
 * A program that behaves as claude does, as far as a test can tell: asks the model until it calls no more tools,
 * writes files, prints the same events, and gives up on an error. `first` runs before, `last` after its last event.
 */
export const fakeClaude = ({ first = '', last = '' } = {}): string => `
if (process.argv.includes('--version')) { console.log('2.1.197 (Claude Code)'); process.exit(0); }
const { readFileSync, writeFileSync } = require('node:fs');
const { request } = require('node:http');
const emit = (event) => console.log(JSON.stringify(event));
// What waits to be printed would be lost by exit: a pipe takes only so much at once.
const leave = (code) => process.stdout.write('', () => process.exit(code));
const { env: { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: token } } = process;
const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const ask = (body) => new Promise((resolve, reject) => {
  const call = request(base + '/v1/messages', { method: 'POST', headers: { 'x-api-key': token } }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve([answer.statusCode, JSON.parse(text)]));
    answer.on('error', reject);
  });
  call.on('error', reject).end(JSON.stringify(body));
});
(async () => {
  const messages = [{ role: 'user', content: readFileSync(0, 'utf8') }];
  const system = readFileSync(argument('--append-system-prompt-file'), 'utf8');
  const tools = argument('--tools').split(',').map((name) => ({ name, input_schema: {} }));
  emit({ type: 'system', subtype: 'init' });
  ${first}
  const usage = { input_tokens: 0, output_tokens: 0 };
  for (let turn = 1; ; turn += 1) {
    const [status, answer] = await ask({ model: argument('--model'), max_tokens: 500, system, tools, messages });
    if (status !== 200) {
      emit({ type: 'result', subtype: 'success', is_error: true, result: 'API Error: ' + status + ' ' + answer.error.message });
      return leave(1);
    }
    usage.input_tokens += answer.usage.input_tokens;
    usage.output_tokens += answer.usage.output_tokens;
    emit({ type: 'assistant', message: answer });
    messages.push({ role: 'assistant', content: answer.content });
    const calls = answer.content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) {
      const result = answer.content.map(({ text = '' }) => text).join('');
      emit({ type: 'result', subtype: 'success', is_error: false, num_turns: turn, result, usage, total_cost_usd: 0.5 });
      ${last}
      return leave(0);
    }
    const results = calls.map(({ id, name, input }) => {
      let content = 'done';
      try {
        if (name === 'Write') writeFileSync(input.file_path, input.content);
        else content = readFileSync(input.file_path, 'utf8');
      } catch (error) { content = String(error); }
      return { type: 'tool_result', tool_use_id: id, content };
    });
    messages.push({ role: 'user', content: results });
  }
})();
`;
