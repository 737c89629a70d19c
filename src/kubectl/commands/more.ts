import { describe } from '../describe/command.ts';
import { generatorCommands } from '../generators/index.ts';
import type { CommandTable } from '../registry.ts';
import { rollout } from '../rollout/command.ts';
import { absentCommands } from './absent.ts';
import { applyParts } from './apply-parts.ts';
import { autoscale } from './autoscale.ts';
import { debug } from './debug.ts';
import { diff } from './diff.ts';
import { drain } from './drain.ts';
import { events } from './events.ts';
import { expose } from './expose.ts';
import { get } from './get.ts';
import { help } from './help.ts';
import { alpha, apiResources, apiVersions, auth, clusterInfo, config, top, version } from './info.ts';
import { annotate, label } from './keys.ts';
import { logs } from './logs.ts';
import { cordon, taint, uncordon } from './nodes.ts';
import { patchCommand, scale } from './patch.ts';
import { replace } from './replace.ts';
import { run } from './run.ts';
import { set } from './set.ts';
import { wait } from './wait.ts';

/** All that is typed or looked at later. */
export const moreCommands: CommandTable = {
  ...absentCommands, ...applyParts, ...generatorCommands,
  alpha, annotate, 'api-resources': apiResources, 'api-versions': apiVersions, auth, autoscale, 'cluster-info': clusterInfo, config, cordon, debug, describe, diff, drain, events, expose, get, help, label, logs, options: help,
  patch: patchCommand, replace, rollout, run, scale, set, taint, top, uncordon, version, wait,
};
