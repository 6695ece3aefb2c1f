import { ToolRefusal } from '../tools/refusal.js';

/** What the file system says against one path, in words for a model. Other codes are the machine's fault. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder (a file, or a symlink, which is refused)',
  ELOOP: 'it is a symlink: those are refused',
  EISDIR: 'it is a folder',
  EEXIST: 'something else is there already',
  ENOTEMPTY: 'it is a folder with something in it',
  EACCES: 'the file system refuses it (no permission)',
  EPERM: 'the file system refuses it (not permitted)',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the path is too long for the file system',
  EINVAL: 'the file system does not take this name',
  EILSEQ: 'the file system does not take this name',
  ENXIO: 'it is a socket or a pipe, not a regular file',
  ENODEV: 'it is a device, not a regular file',
  EFBIG: 'it is too large for the file system',
  ETXTBSY: 'it is a program that runs right now',
};

export function refusalOf(error: unknown, path: string): ToolRefusal | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const words = code === undefined ? undefined : WORDS[code];
  return words === undefined ? null : new ToolRefusal(`${JSON.stringify(path)}: ${words}`);
}
