import { randomBytes } from 'node:crypto';
import { sha256Hex } from '#kernel';

const KEY = /^qr_[A-Za-z0-9_-]{43}$/;

/** 256 random bits: long enough that a plain SHA-256 keeps the stored form safe. */
export const newApiKey = (): string => `qr_${randomBytes(32).toString('base64url')}`;

export const hashOfKey = (key: string): string => sha256Hex(key);

export const isApiKey = (text: string): boolean => KEY.test(text);
