import { describe, expect, it } from 'vitest';
import type { ModelCall, Reply } from '#testing';
import { jobs } from '../targets/index.js';
import { ScriptedModel, tierOf } from './scripted-model.js';
import type { Skill } from './skill.js';

const READING = ['read_file', 'list_files', 'search', 'finish'];
const WRITING = [...READING, 'write_file', 'edit_file', 'run'];
const text = { type: 'string' };
const list = (properties: Record<string, object>) => ({ type: 'array', items: object(properties) });
const object = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const number = { type: 'integer' };
const yes = { type: 'boolean' };
const nullable = { anyOf: [text, { type: 'null' }] };

const TASK = object({ outcome: { enum: ['done', 'not-applicable'] }, summary: text, wrongCheck: nullable });
const PLAN = object({
  class: { enum: ['behaviour', 'keeps-behaviour', 'document', 'tests-only'] },
  parts: list({ title: text, interface: text, failingTests: { type: 'array', items: text } }),
  steps: list({
    title: text,
    detail: text,
    parts: { type: 'array', items: number },
    findings: { type: 'array', items: text },
    check: text,
  }),
  findings: list({ id: text, relation: { enum: ['is-request', 'before', 'after', 'aside'] } }),
  failuresInScope: { type: 'array', items: text },
});
const CHECKS = object({
  checks: list({ part: number, title: text, files: { type: 'array', items: text }, command: nullable, why: text }),
});
const INSPECTION = object({
  parts: list({ part: number, isDone: yes, why: text }),
  findings: list({ id: text, isFixed: yes, why: text }),
  tests: list({ test: text, quote: nullable, why: text }),
});
const LOOK = object({ isFixed: yes, why: text });
const RULING = object({ isCheckWrong: yes, why: text });

/** A conversation with a model over Anthropic's protocol; tools answer from a set of files. */
class Chat {
  private readonly messages: object[];
  private turn = 0;

  constructor(
    private readonly model: ScriptedModel,
    private readonly schema: object | null,
    private readonly tools: readonly string[],
    task: string,
    private readonly tier = 'medium',
    readonly files: Record<string, string> = {},
  ) {
    this.messages = [{ role: 'user', content: task }];
  }

  next(): Reply {
    const reply = this.model.answer(this.call());
    const calls = (reply.toolCalls ?? []).map((call, index) => ({
      ...call,
      id: `${String(this.turn)}-${String(index)}`,
    }));
    this.turn += 1;
    this.messages.push({
      role: 'assistant',
      content: calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    });
    const results = calls.map(({ id, name, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: this.use(name, (input ?? {}) as Record<string, string>),
    }));
    this.messages.push({ role: 'user', content: results });
    return reply;
  }

  /** Goes on until an answer calls no tool. */
  end(): unknown {
    for (let turns = 0; turns < 10; turns += 1) {
      const reply = this.next();
      if ((reply.toolCalls ?? []).length === 0) return JSON.parse(reply.text ?? '') as unknown;
    }
    throw new Error('The model does not come to an end.');
  }

  private use(name: string, { path = '', content = '', old = '', new: fresh = '' }: Record<string, string>): string {
    if (name === 'write_file') this.files[path] = content;
    if (name === 'edit_file') this.files[path] = (this.files[path] ?? '').replace(old, () => fresh);
    if (name === 'run') return 'exit code 0';
    if (name === 'list_files') return Object.keys(this.files).join('\n');
    const lines = this.files[path]?.replace(/\n$/, '').split('\n');
    return lines ? lines.map((line, at) => `${String(at + 1)}\t${line}`).join('\n') : 'there is no such file';
  }

  private call(): ModelCall {
    const format = this.schema && { output_config: { format: { type: 'json_schema', schema: this.schema } } };
    return {
      number: 1,
      protocol: 'anthropic',
      path: '',
      headers: {},
      body: { messages: this.messages, ...format },
      model: `any-${this.tier}`,
      isStream: false,
      turn: this.turn,
      tools: this.tools,
      usage: null,
      billed: null,
      isAbandoned: false,
    };
  }
}

const { fixFractions, addExabytes, escapeBacktick, nameApostrophe } = jobs;
const skilled = (job: (typeof jobs)['fixFractions'], more: Partial<Skill> = {}): ScriptedModel => {
  const { right } = job.task;
  const does = { small: right, medium: right, large: right };
  return new ScriptedModel({ ...job, does, isStepwise: false, mistakes: [], ...more });
};
const filesOf = (job: (typeof jobs)['fixFractions']): Record<string, string> => ({ ...job.target.files });

describe('a scripted model', () => {
  it('reads, edits, tests and finishes as an implementer', () => {
    const files = filesOf(fixFractions);
    const chat = new Chat(skilled(fixFractions), TASK, WRITING, fixFractions.task.request, 'medium', files);
    const names = [chat.next(), chat.next(), chat.next()].map(({ toolCalls }) => toolCalls?.map(({ name }) => name));
    expect(names).toEqual([['read_file'], ['edit_file'], ['run']]);
    expect(chat.end()).toMatchObject({ outcome: 'done', wrongCheck: null });
    expect(files['index.js']).toContain('parseFloat(results[1])');
  });

  it('works by the tier of its name, and corrects what another tier did', () => {
    const wrong = fixFractions.task.wrong['rounds up'] ?? {};
    const model = skilled(fixFractions, { does: { small: wrong, medium: wrong, large: fixFractions.task.right } });
    const files = filesOf(fixFractions);
    new Chat(model, TASK, WRITING, fixFractions.task.request, 'small', files).end();
    expect(files['index.js']).toContain('Math.ceil');
    new Chat(model, TASK, WRITING, fixFractions.task.request, 'large', files).end();
    expect(files['index.js']).not.toContain('Math.ceil');
    expect([tierOf('x-small'), tierOf('x-large'), tierOf('x')]).toEqual(['small', 'large', 'medium']);
  });

  it('ends with plain text if no shape is asked for', () => {
    const chat = new Chat(
      skilled(fixFractions),
      null,
      WRITING,
      fixFractions.task.request,
      'medium',
      filesOf(fixFractions),
    );
    const replies = [chat.next(), chat.next(), chat.next(), chat.next()];
    expect(replies.at(-1)?.text).toContain('I changed index.js');
  });

  it('does the next step that the files do not show', () => {
    const files = filesOf(escapeBacktick);
    const model = skilled(escapeBacktick, { isStepwise: true });
    const ask = (task: string) => new Chat(model, TASK, WRITING, task, 'medium', files).end();
    ask(escapeBacktick.task.request);
    expect(files['Readme.md']).toBe(escapeBacktick.target.files['Readme.md']);
    ask('Plan: Escape the backtick; List the escaped characters in Readme.md');
    expect(files['Readme.md']).toContain('escapes');
  });

  it('plans with the names that the text gives to tests and findings', () => {
    const task = `${fixFractions.task.request}\nF-001 P0 bytes.parse loses the fraction of a value\nFailing:\n- test/bytes.test.js: parses fractions of a unit`;
    const chat = new Chat(skilled(fixFractions), PLAN, READING, task, 'medium', filesOf(fixFractions));
    expect(chat.end()).toMatchObject({
      class: 'behaviour',
      parts: [{ failingTests: ['test/bytes.test.js: parses fractions of a unit'] }],
      steps: [{ parts: [1], findings: ['F-001'] }],
      findings: [{ id: 'F-001', relation: 'is-request' }],
      failuresInScope: ['test/bytes.test.js: parses fractions of a unit'],
    });
  });

  it('writes and runs a check for the parts that it is asked for', () => {
    const files = filesOf(addExabytes);
    const chat = new Chat(skilled(addExabytes), CHECKS, WRITING, 'Parts:\n2. format shows EB', 'medium', files);
    expect(chat.end()).toMatchObject({
      checks: [{ part: 2, files: ['check-format-eb.test.js'], command: 'node --test check-format-eb.test.js' }],
    });
    expect(files['check-format-eb.test.js']).toContain('1EB');
  });

  it('plans and writes the checks in one conversation if both are asked for', () => {
    const both = object({ ...PLAN.properties, ...CHECKS.properties });
    const files = filesOf(addExabytes);
    const plan = new Chat(skilled(addExabytes), both, WRITING, addExabytes.task.request, 'medium', files).end();
    expect(plan).toMatchObject({ class: 'behaviour', checks: [{ part: 1 }, { part: 2 }] });
    expect(files['check-format-eb.test.js']).toContain('1EB');
    const red = new Chat(
      skilled(fixFractions),
      both,
      WRITING,
      fixFractions.task.request,
      'medium',
      filesOf(fixFractions),
    );
    expect(red.end()).toMatchObject({ checks: [] });
  });

  it('judges by the files as an inspector, and quotes the request', () => {
    const task = `${nameApostrophe.task.request}\n1. the apostrophe is written as &apos;\nChanged test: escapes the apostrophe as a number`;
    const look = (files: Record<string, string>) =>
      new Chat(skilled(nameApostrophe), INSPECTION, READING, task, 'large', files).end();
    const files = filesOf(nameApostrophe);
    expect(look(files)).toMatchObject({ parts: [{ part: 1, isDone: false }] });
    new Chat(skilled(nameApostrophe), TASK, WRITING, nameApostrophe.task.request, 'medium', files).end();
    expect(look(files)).toMatchObject({
      parts: [{ part: 1, isDone: true }],
      tests: [{ quote: 'must write the apostrophe as &apos; instead of &#39;' }],
    });
  });

  it('confirms the fix of a finding only if the files show it', () => {
    const { addDiscount } = jobs;
    const finding = addDiscount.task.findings?.[0];
    const review = (files: Record<string, string>): unknown =>
      new Chat(skilled(addDiscount), LOOK, READING, finding?.title ?? '', 'medium', files).end();
    const files = filesOf(addDiscount);
    expect(review(files)).toMatchObject({ isFixed: false });
    expect(review({ ...files, ...finding?.fix?.files })).toMatchObject({ isFixed: true });
  });

  it('says that a check is wrong, and rules so, if the text quotes a broken command', () => {
    const command = 'node broken.js';
    const model = skilled(fixFractions, { mistakes: [{ kind: 'wrong-scenario', command, times: 1 }] });
    const task = `${fixFractions.task.request}\nThis failed: ${command}`;
    expect(new Chat(model, TASK, WRITING, task, 'medium', filesOf(fixFractions)).end()).toMatchObject({
      wrongCheck: expect.stringContaining('wrong') as unknown,
    });
    expect(new Chat(model, RULING, READING, task).end()).toMatchObject({ isCheckWrong: true });
    expect(new Chat(model, RULING, READING, 'node good.js').end()).toMatchObject({ isCheckWrong: false });
  });

  it('writes a wrong check once, and knows it by its assertion', () => {
    const check = {
      file: 'check-format-eb.test.js',
      content: 'assert.equal(1, 2);\n',
      command: 'node --test check-format-eb.test.js',
    };
    const model = skilled(addExabytes, { mistakes: [{ kind: 'wrong-check', check, times: 1 }] });
    const files = filesOf(addExabytes);
    const author = () => new Chat(model, CHECKS, WRITING, '2. format shows EB', 'medium', files).end();
    author();
    expect(files[check.file]).toBe(check.content);
    expect(new Chat(model, RULING, READING, '| assert.equal(1, 2);').end()).toMatchObject({ isCheckWrong: true });
    author();
    expect(files[check.file]).toContain('1EB');
  });

  it('makes a wrong variant of the code for an unknown purpose', () => {
    const { testNegatives } = jobs;
    const files = filesOf(testNegatives);
    new Chat(skilled(testNegatives), object({ why: text }), WRITING, 'Break it.', 'medium', files).end();
    expect(files['index.js']).toContain('var msAbs = ms;');
  });

  it('makes its mistakes as often as they are seeded', () => {
    const model = skilled(fixFractions, {
      mistakes: [
        { kind: 'bad-json', role: 'arbiter', times: 1 },
        { kind: 'endless', role: 'implementer', times: 1 },
      ],
    });
    expect(() => new Chat(model, RULING, READING, 'a').end()).toThrow();
    expect(new Chat(model, RULING, READING, 'a').end()).toMatchObject({ isCheckWrong: false });
    const ask = () => new Chat(model, TASK, WRITING, fixFractions.task.request, 'medium', filesOf(fixFractions)).end();
    expect(ask).toThrow('does not come to an end');
    expect(ask()).toMatchObject({ outcome: 'done' });
  });
});
