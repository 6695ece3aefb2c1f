import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { WorldError } from '#kernel';

const SEALED = 'sealed:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Secrets as the database holds them: encrypted where the service was given a key, else as they are. One that was
 * stored before there was a key is still read.
 */
export class SecretBox {
  private readonly key: Buffer | null;

  constructor(key: string | null) {
    this.key = key === null ? null : Buffer.from(hkdfSync('sha256', key, '', 'qralph webhook secrets', 32));
  }

  seal(secret: string): string {
    if (!this.key) return secret;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return SEALED + Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64');
  }

  /** The present one, and those before that can be read: one that nobody could read was replaced for just that. */
  openAll([present = '', ...before]: readonly string[]): string[] {
    return [this.open(present), ...before.flatMap((stored) => this.opened(stored) ?? [])];
  }

  open(stored: string): string {
    const secret = this.opened(stored);
    if (secret !== null) return secret;
    const advice = 'give every process the QRALPH_WEBHOOK_KEY that it was stored with, or rotate it';
    throw new WorldError('WEBHOOK_SECRET_UNREADABLE', `the secret cannot be read: ${advice}`);
  }

  /** Null: not with the key that this process has. */
  private opened(stored: string): string | null {
    if (!stored.startsWith(SEALED)) return stored;
    if (!this.key) return null;
    const bytes = Buffer.from(stored.slice(SEALED.length), 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)).toString('utf8') + decipher.final('utf8');
    } catch {
      return null;
    }
  }
}
