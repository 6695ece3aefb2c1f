import type { ActivityContext } from '#engine';
import { isTestConfiguration } from '#workspace';
import { contextOf } from '../context.js';
import type { Check } from '../scoping/request-plan.js';
import type { ChangedFiles } from './changed-files.js';

/**
 * Tests and their settings without which a check has to pass, if settings changed and no source did. They decide how the
 * check runs, and could forge its result. Files that request, plan or check name are what they ask for.
 */
export function settingsAlone(activity: ActivityContext, changed: ChangedFiles, check: Check): readonly string[] {
  if (changed.sources.length > 0) return [];
  const { parts = [] } = contextOf(activity).requestPlan ?? {};
  const asked = [
    activity.project.request,
    ...parts.flatMap((part) => [part.title, part.interface]),
    ...[check.title, check.command, ...check.files.map(({ content }) => content)],
  ].join('\n');
  const paths = [...changed.oldTests, ...changed.newTestConfiguration, ...changed.newTestFiles];
  const unnamed = [...new Set(paths)].filter((path) => !asked.includes(path.slice(path.lastIndexOf('/') + 1)));
  return unnamed.some(isTestConfiguration) ? unnamed : [];
}
