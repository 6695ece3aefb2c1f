import { type Project, Proof } from '#contracts';
import { provenOf } from '#kernel';
import type { ProjectModel } from '../generated/models.js';
import type { Context } from './prisma-contexts.js';
import { fitting, redacted } from './untrusted.js';

/** Under these names every machine keeps whether its request is proven, and by what. */
export const PROOF_KEYS = ['isProven', 'isWhollyAccepted', 'evidence'];

export const proofView = (
  { status }: Pick<ProjectModel, 'status'>,
  { isProven, isWhollyAccepted, evidence }: Context,
  isSimulated: boolean,
): Pick<Project, 'proven' | 'proof'> => ({
  proven: provenOf({ isProven, isWhollyAccepted, isSimulated, isCompleted: status === 'completed' }),
  proof: redacted(fitting(Proof, { evidence })),
});
