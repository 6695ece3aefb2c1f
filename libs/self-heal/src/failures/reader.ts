/** Listens to an output line by line for the failures that one runner names. */
export interface FailureReader {
  read(line: string): void;
  names(): readonly string[];
}

/** For runners whose one line has it all. */
export function lineReader(nameIn: (line: string) => string | undefined): FailureReader {
  const found: string[] = [];
  return {
    read: (line) => {
      const name = nameIn(line);
      if (name !== undefined) found.push(name);
    },
    names: () => found,
  };
}
