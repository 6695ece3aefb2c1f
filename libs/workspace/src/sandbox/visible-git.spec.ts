import { describe, expect, it } from 'vitest';
import { harmless } from './visible-git.js';

describe('the configuration that is shown inside', () => {
  it('keeps what git needs to read history', () => {
    const config = '[core]\n\trepositoryformatversion = 1\n\tFileMode = true\n[extensions]\n\tobjectFormat = sha256\n';
    expect(harmless(config)).toBe(
      '[core]\n\trepositoryformatversion = 1\n[core]\n\tFileMode = true\n[extensions]\n\tobjectFormat = sha256\n',
    );
  });

  it.each([
    '[remote "origin"]\n\turl = https://u:key@host/x',
    '[core]\n\tsshCommand = ssh -i /key',
    '[core]\n\thooksPath = evil',
    '[core]\n\tautocrlf = true; [x]',
    '[core]\n\tfsmonitor = true',
    '[include]\n\tpath = other',
    '[core "x"]\n\tfilemode = true',
    '[core]\n[http]\n\textraHeader = key\n\tfilemode = true',
    '[extensions]\n\tworktreeConfig = true\n\tpartialClone = origin',
    '[core] filemode = true',
  ])('drops everything else: %j', (config) => {
    expect(harmless(config)).toBe('');
  });
});
