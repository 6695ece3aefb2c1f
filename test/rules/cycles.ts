interface Visit {
  index: number;
  low: number;
  isOpen: boolean;
}

/** Groups of nodes that reach each other (Tarjan), each with more than one member or a loop to itself. */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const visits = new Map<string, Visit>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): Visit => {
    const here: Visit = { index: visits.size, low: visits.size, isOpen: true };
    visits.set(node, here);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      const there = visits.get(next);
      if (!there) here.low = Math.min(here.low, visit(next).low);
      else if (there.isOpen) here.low = Math.min(here.low, there.index);
    }
    if (here.low === here.index) {
      const group = open.splice(open.indexOf(node));
      for (const member of group) visits.get(member)!.isOpen = false;
      if (group.length > 1 || graph.get(node)?.includes(node)) cycles.push(group);
    }
    return here;
  };
  for (const node of graph.keys()) if (!visits.has(node)) visit(node);
  return cycles;
}
