import { type AgentUnderTest, type Deed, describeAgentRuntime, type Reply } from '#testing';
import { openCliWorld } from './cli-world.fixture.js';
import { fakeClaude } from './fake-claude.fixture.js';

/** The pretended provider answers by deeds; the program on the PATH does what claude would do about them. */
async function open(deeds: readonly Deed[]): Promise<AgentUnderTest> {
  const world = await openCliWorld({ script: fakeClaude() });
  const { server, ledger, worktree } = world;
  const capAt = deeds.findIndex((deed) => deed.do === 'over-budget');
  const { capNanoUsd } = ledger;
  let failures = 0;
  server.use(({ turn }) => {
    const nth = turn + failures;
    const deed = deeds[nth];
    if (deed?.do === 'rate-limit') failures += 1;
    if (nth + 1 === capAt) ledger.capNanoUsd = 1n;
    return replyTo(deed, worktree.folder);
  });
  if (capAt === 0) ledger.capNanoUsd = 1n;
  return {
    runtime: world.runtime,
    worktree,
    startCommit: world.startCommit,
    paid: () => ledger.ends().filter((end) => end === 'done').length,
    raiseCap: () => {
      ledger.capNanoUsd = capNanoUsd;
      failures = capAt + 1;
    },
    sent: () => server.calls.map(({ body }) => JSON.stringify(body)).join('\n'),
    fileAt: world.fileAt,
    close: world.close,
  };
}

function replyTo(deed: Deed | undefined, folder: string): Reply {
  switch (deed?.do) {
    case 'write': {
      const input = { file_path: `${folder}/${deed.path}`, content: deed.content };
      return { toolCalls: [{ name: 'Write', input }] };
    }
    case 'read':
      return { toolCalls: [{ name: 'Read', input: { file_path: `${folder}/${deed.path}` } }] };
    case 'say':
      return { text: deed.text };
    case 'hang':
      return { fault: { kind: 'silence', afterEvents: 0 } };
    case 'rate-limit': {
      const headers = { 'retry-after': String(deed.ms / 1_000) };
      return { fault: { kind: 'status', status: 429, words: deed.words, headers } };
    }
    case 'bad-key':
      return { fault: { kind: 'status', status: 401, words: deed.words } };
    case 'over-budget':
    case undefined:
      return { fault: { kind: 'status', status: 400, words: 'asked more often than there are deeds' } };
  }
}

describeAgentRuntime('a CLI runtime', { journalsEachAnswer: false, isSimulated: false }, open);
