const FOLDER =
  /(?:^|\/)(?:dist|build|out|_?_?generated_?_?|gen|vendor|third_party|node_modules|bower_components|coverage)\//i;
const NAME = /\.(?:min|bundle|generated|g|pb)\.\w+$|(?:_pb2?|_generated|[.-]bundle)\.\w+$/i;

/** Whether a tool makes the file from others, as far as its path tells: the next run of the tool undoes a change. */
export const isGeneratedFile = (path: string): boolean => FOLDER.test(path) || NAME.test(path);
