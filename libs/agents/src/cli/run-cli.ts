import { join } from 'node:path';
import type { EffectRun } from '#engine';
import type { ModelRef } from '#models';
import type { CommandResult } from '#process-monitor';
import type { Sandbox } from '#workspace';
import { type AgentScene, type AgentTask, type RunReport, runsCommands } from '../agent.port.js';
import { briefEnd, cleanText } from '../api/bounded-text.js';
import { limitWarning } from '../api/limit-warning.js';
import type { CommandPlace } from '../api/runtime-parts.js';
import { GitGuard } from '../git-guard.js';
import type { Admission, ProxyRun, ProxyTally, WireName } from '../proxy/index.js';
import { readOnlyPlace } from '../read-only-place.js';
import type { CliParts } from './cli-parts.js';
import type { CliCommand, CliReader, CliSpec } from './cli-spec.js';
import type { FoundCli } from './find-cli.js';
import { JsonLines } from './json-lines.js';
import type { RunFacts } from './judge-run.js';
import { INNER_PORT, INNER_SOCKET, LAUNCHER } from './launcher.js';
import { promptOf } from './prompt.js';
import { reportedUsage } from './reported-usage.js';
import type { RunEvents } from './run-events.js';
import { RunFolder } from './run-folder.js';
import type { RunNotes } from './run-notes.js';
import { Transcript } from './transcript.js';
import { RunWatch } from './watch-run.js';

export interface CliRun {
  readonly spec: CliSpec;
  readonly found: FoundCli;
  readonly task: AgentTask;
  readonly scene: AgentScene;
  readonly run: EffectRun;
  readonly model: ModelRef & { readonly wire: WireName };
  /** Which of the tier's models it is, from 1. */
  readonly nth: number;
  /** What is left of the task's time. */
  readonly wallMs: number;
  readonly sandbox: Sandbox;
  readonly events: RunEvents;
  readonly notes: RunNotes;
}

export interface CliRunEnd {
  readonly facts: RunFacts;
  readonly report: RunReport;
}

const LONGEST_COMPLAINT = 16 * 1024;

/** Runs a CLI once, in a folder and with a token of its own, both of which end with the run. */
export async function runCli(one: CliRun, parts: CliParts): Promise<CliRunEnd> {
  const folder = await RunFolder.open(parts.folder);
  try {
    let watch: RunWatch | null = null;
    const admission = await parts.proxy.admit({ ...admittedAs(one, parts), onSign: () => watch?.sign() });
    try {
      const { pausing } = one.run;
      watch = new RunWatch({ ...parts, tally: () => admission.tally(), ...(pausing && { pausing }) });
      return await watched(one, parts, { admission, folder, watch });
    } finally {
      watch?.stop();
      // However it ended: nobody can use its token any more, and its calls are settled.
      await admission.revoke();
    }
  } finally {
    await folder.remove();
  }
}

function admittedAs(
  { task, scene, run, model, events, notes, wallMs }: CliRun,
  { clock }: Pick<CliParts, 'clock'>,
): ProxyRun {
  const { lease, key, attempt } = run;
  const { turns } = task.limits;
  const since = clock.now();
  let calls = 0;
  return {
    about: {
      lease,
      state: scene.activity.state,
      agent: task.role,
      purpose: task.purpose,
      prompt: task.promptVersion ?? null,
      attempt: task.attempt,
      tier: task.tier,
      effect: { key, run: attempt },
    },
    model: { provider: model.provider, model: model.model },
    maxOutputTokens: task.limits.maxOutputTokens,
    maxCalls: turns,
    notes: () => notes.now(limitWarning({ turns: calls, ms: clock.now() - since }, { turns, wallMs })),
    onCall: (call) => {
      calls += 1;
      events.called(call);
      if (call.errorCode === null) notes.reached(call.notes);
    },
  };
}

async function watched(one: CliRun, parts: CliParts, own: Own): Promise<CliRunEnd> {
  const { scene, sandbox } = one;
  const { admission, watch } = own;
  const transcript = await Transcript.open(join(parts.transcripts, ...transcriptOf(one)), parts.secrets);
  try {
    const reader = one.spec.newReader();
    const guard = sandbox.guarantees.hidesFiles ? null : await GitGuard.of(scene.worktree.folder);
    const { result, complaint } = await execute(one, parts, { ...own, reader, transcript });
    const touchedGit = guard ? await guard.restore() : [];
    const tally = await admission.revoke();
    transcript.add(JSON.stringify({ type: 'qralph.end', ...endOf(result), complaint }));
    const end = reader.end();
    const { endedFor } = watch;
    return {
      facts: { result, endedFor, endedAt: parts.epochMs(), end, tally, complaint, touchedGit },
      report: {
        reported: { usage: reportedUsage(end?.usage ?? null, parts.secrets), costUsd: end?.costUsd ?? null },
        metered: meteredOf(tally),
        transcript: await transcript.close(),
      },
    };
  } finally {
    await transcript.end();
  }
}

interface Own {
  readonly admission: Admission;
  readonly folder: RunFolder;
  readonly watch: RunWatch;
}

interface Tools extends Own {
  readonly reader: CliReader;
  readonly transcript: Transcript;
}

async function execute(
  one: CliRun,
  parts: CliParts,
  { admission, folder, reader, transcript, watch }: Tools,
): Promise<{ result: CommandResult; complaint: string }> {
  const { task, scene, run, sandbox, found, events } = one;
  const promptFile = await folder.write('prompt.md', promptOf(task, parts.secrets));
  const command = await prepared(one, parts, { admission, folder, promptFile });
  const argv = await launched(one, folder, [...found.command, ...command.args]);
  const own = scene.worktree.folder;
  const isWriter = task.access === 'write';
  const given = await parts.placeOf(scene.worktree);
  const place = isWriter ? given : sandbox.guarantees.hidesFiles ? readOnlyPlace(given) : withoutTree(given, own);
  const [file, ...args] = argv as [string, ...string[]];
  let complaint = Buffer.alloc(0);
  const lines = new JsonLines((line, event) => {
    transcript.add(line);
    if (event) for (const sign of reader.read(event)) events.sign(sign);
  });
  const complaints = new JsonLines((line) => transcript.addComplaint(line));
  const result = await sandbox.run({
    file,
    args,
    cwd: own,
    env: { ...place.env, ...command.env, HOME: folder.home, NO_COLOR: '1' },
    lease: run.lease,
    purpose: `${one.spec.name} agent: ${task.role}`,
    timeoutMs: one.wallMs,
    signal: AbortSignal.any([run.signal, watch.signal]),
    limits: parts.limits,
    ...(command.readsPromptFromStdin && { stdinFile: promptFile }),
    writable: [...place.writable, folder.path],
    readable: [...(place.readable ?? []), ...found.readable, process.execPath],
    ...(place.readOnly && { readOnly: place.readOnly }),
    ...(sandbox.guarantees.cutsNetwork && { sockets: [{ outside: admission.socketPath, inside: INNER_SOCKET }] }),
    network: 'none',
    onOutput: (stream, chunk) => {
      watch.sign();
      if (stream === 'stdout') return lines.take(chunk);
      complaints.take(chunk);
      complaint = Buffer.concat([complaint, chunk]).subarray(-LONGEST_COMPLAINT);
    },
  });
  lines.end();
  complaints.end();
  return { result, complaint: briefEnd(cleanText(complaint.toString('utf8'), parts.secrets), 1_000) };
}

/** Nothing keeps it from writing there, so the worktree is looked at afterwards. */
const withoutTree = ({ readOnly: _, ...place }: CommandPlace, tree: string): CommandPlace => ({
  ...place,
  writable: place.writable.filter((path) => path !== tree),
  readable: [tree, ...(place.readable ?? [])],
});

/** Where the sandbox has no network, the CLI finds the proxy behind a forwarder; elsewhere at its own address. */
async function launched(
  { sandbox }: CliRun,
  folder: RunFolder,
  command: readonly string[],
): Promise<readonly string[]> {
  if (!sandbox.guarantees.cutsNetwork) return command;
  const launcher = await folder.write('launcher.cjs', LAUNCHER);
  return [process.execPath, launcher, String(INNER_PORT), INNER_SOCKET, ...command];
}

async function prepared(
  { spec, task, model, sandbox }: CliRun,
  { secrets }: CliParts,
  { admission, folder, promptFile }: { admission: Admission; folder: RunFolder; promptFile: string },
): Promise<CliCommand> {
  const system = cleanText(task.system, secrets);
  const command = spec.prepare({
    task,
    model,
    wire: model.wire,
    baseUrl: sandbox.guarantees.cutsNetwork ? `http://127.0.0.1:${String(INNER_PORT)}${admission.path}` : admission.url,
    token: admission.token,
    home: folder.home,
    promptFile,
    system,
    systemFile: await folder.write('system.md', system),
    runsCommands: runsCommands(task, sandbox.guarantees),
    isSandboxed: sandbox.guarantees.hidesFiles,
  });
  for (const [name, text] of Object.entries(command.files ?? {})) await folder.write(join('home', name), text);
  return command;
}

/** Found again by project and effect; each run has one of its own. */
function transcriptOf({ run: { lease, key, attempt }, nth }: CliRun): [string, string] {
  const name = key.replace(/[^\w.-]+/g, '_').slice(-150);
  return [lease.projectId, `${name}.${String(attempt)}.${String(nth)}.jsonl`];
}

const endOf = ({ exitCode, endedBy }: CommandResult) => ({ exitCode, endedBy });

const meteredOf = ({ calls, usage, costNanoUsd, unknownCosts }: ProxyTally): RunReport['metered'] => ({
  calls,
  usage,
  costNanoUsd: costNanoUsd.toString(),
  unknownCosts,
});
