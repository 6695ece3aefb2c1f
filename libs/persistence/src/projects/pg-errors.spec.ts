import { describe, expect, it } from 'vitest';
import { errorCode, WorldError } from '#kernel';
import { worldly } from './pg-errors.js';

const failed = (code: string, syscall?: string): Error => Object.assign(new Error('failed'), { code, syscall });

describe('errors of the database', () => {
  it.each([
    ['57014', undefined, 'STORE_AWAY'],
    ['55P03', undefined, 'STORE_AWAY'],
    ['40001', undefined, 'STORE_AWAY'],
    ['40P01', undefined, 'STORE_AWAY'],
    ['25006', undefined, 'STORE_AWAY'],
    ['08001', undefined, 'STORE_AWAY'],
    ['08004', undefined, 'STORE_AWAY'],
    ['57P03', undefined, 'STORE_AWAY'],
    ['53000', undefined, 'STORE_AWAY'],
    ['53100', undefined, 'STORE_AWAY'],
    ['53300', undefined, 'STORE_AWAY'],
    ['53400', undefined, 'STORE_AWAY'],
    ['58000', undefined, 'STORE_AWAY'],
    ['58030', undefined, 'STORE_AWAY'],
    ['58P01', undefined, 'STORE_AWAY'],
    ['ECONNREFUSED', 'connect', 'STORE_AWAY'],
    ['ENOTFOUND', 'getaddrinfo', 'STORE_AWAY'],
    ['EAI_AGAIN', 'getaddrinfo', 'STORE_AWAY'],
    ['EHOSTUNREACH', 'connect', 'STORE_AWAY'],
    ['ENETUNREACH', 'connect', 'STORE_AWAY'],
    ['ETIMEDOUT', 'connect', 'STORE_AWAY'],
    ['EHOSTUNREACH', 'read', 'ANSWER_LOST'],
    ['ENETUNREACH', 'write', 'ANSWER_LOST'],
    ['ETIMEDOUT', 'read', 'ANSWER_LOST'],
    ['ETIMEDOUT', undefined, 'ANSWER_LOST'],
    ['ECONNRESET', 'read', 'ANSWER_LOST'],
    ['EPIPE', 'write', 'ANSWER_LOST'],
    ['57P01', undefined, 'ANSWER_LOST'],
    ['57P02', undefined, 'ANSWER_LOST'],
    ['08003', undefined, 'ANSWER_LOST'],
    ['08006', undefined, 'ANSWER_LOST'],
    ['08007', undefined, 'ANSWER_LOST'],
  ])('%s from %s is %s', (code, syscall, expected) => {
    const error = worldly(failed(code, syscall));
    expect(error).toBeInstanceOf(WorldError);
    expect(errorCode(error)).toBe(expected);
  });

  it.each(['23505', '42601', '22P05', 'EACCES'])('%s is no fault of the world: it comes back as it was', (code) => {
    const error = failed(code);
    expect(worldly(error)).toBe(error);
  });

  it('knows the driver by its words where it gives no code', () => {
    expect(errorCode(worldly(new Error('timeout exceeded when trying to connect')))).toBe('STORE_AWAY');
    expect(errorCode(worldly(new Error('Connection terminated unexpectedly')))).toBe('ANSWER_LOST');
    expect(errorCode(worldly(new Error('Query read timeout')))).toBe('ANSWER_LOST');
  });
});
