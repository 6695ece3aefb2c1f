import type { Mode } from '../mode.js';
import { announce } from './announce.activity.js';
import { check } from './check.activity.js';
import { finish, scrap } from './finish.activity.js';
import { drillGuards, drillMachine, drillTaskMachine } from './machine.js';
import { beginDrill } from './plan.js';
import { prepare } from './prepare.activity.js';
import { record } from './record.activity.js';
import type { Scratch } from '#workspace';
import { split } from './split.activity.js';
import { work } from './work.activity.js';

export const drillMode = (scratch: Scratch): Mode => ({
  name: 'drill',
  machine: drillMachine,
  guards: drillGuards,
  activities: {
    prepare: prepare(scratch),
    split: split(scratch),
    record: record(scratch),
    check: check(scratch),
    announce: announce(scratch),
    finish: finish(scratch),
    scrap: scrap(scratch),
  },
  childMachines: [{ machine: drillTaskMachine, guards: {}, activities: { work: work(scratch) } }],
  needsRepo: false,
  options: [],
  optionalGates: ['approval'],
  roles: [],
  begin: beginDrill,
});
