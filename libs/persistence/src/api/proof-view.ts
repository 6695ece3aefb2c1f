import { type Project, Proof, provenOf } from '#contracts';
import type { ProjectModel } from '../generated/models.js';
import type { Context } from './prisma-contexts.js';
import { fitting, redacted } from './untrusted.js';

/** Under these names every machine keeps whether its request is proven, and by what. */
export const PROOF_KEYS = ['isProven', 'evidence'];

export const proofView = (
  { status }: Pick<ProjectModel, 'status'>,
  { isProven, evidence }: Context,
  isSimulated: boolean,
): Pick<Project, 'proven' | 'proof'> => ({
  proven: provenOf({ isProven, isSimulated, isCompleted: status === 'completed' }),
  proof: redacted(fitting(Proof, { evidence })),
});
