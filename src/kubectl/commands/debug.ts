import { fnv32a } from '../../api/meta/hash.ts';
import { resourceInfo } from '../../api/resources.ts';
import type { Pod } from '../../api/schema/types.ts';
import { ask, pathOf } from '../api.ts';
import { isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import { withNamespace } from '../manifests.ts';
import type { Command } from '../registry.ts';
import { writeFlags } from '../report.ts';
import { findObjects } from '../targets.ts';

const ptrace = { capabilities: { add: ['SYS_PTRACE'] } };

/** What a profile gives the container. Upstream: cmd/debug/profiles.go. */
const profiles: Readonly<Record<string, object>> = {
  general: ptrace, baseline: {}, netadmin: { capabilities: { add: ['NET_ADMIN', 'NET_RAW'] } }, sysadmin: { privileged: true },
  restricted: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
};

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** kubectl debug POD --image IMAGE: an ephemeral container. Upstream: k8s.io/kubectl/pkg/cmd/debug. Simplified: copies and nodes are left out, nothing is attached, the name follows from the time. */
export const debug: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, {
      ...writeFlags, image: flag.text(), container: flag.text('c'), target: flag.text(), stdin: flag.bool('i'), tty: flag.bool('t'), attach: flag.bool(), quiet: flag.bool('q'), 'copy-to': flag.text(), profile: flag.text(), env: flag.texts(),
      'image-pull-policy': flag.text(), 'share-processes': flag.bool(), 'same-node': flag.bool(), replace: flag.bool(), 'set-image': flag.texts(), 'arguments-only': flag.bool(), custom: flag.text(), 'keep-labels': flag.bool(),
    }, 'kubectl debug');
    const [word, ...rest] = parsed.words;
    if (word === undefined) throw plainError('NAME is required for debug');
    if (parsed.has('copy-to')) throw plainError('kubectl debug --copy-to is not simulated: create a pod');
    const image = parsed.text('image');
    if (image === undefined) throw plainError('you must specify --image when not using --copy-to.');
    const profile = profiles[parsed.text('profile') ?? 'general'];
    if (profile === undefined) throw plainError(`unknown profile: ${parsed.text('profile') ?? ''}`);
    const place = withNamespace(environment, parsed);
    const { found, failures } = findObjects(word.includes('/') ? [word] : ['pod', word], parsed, place);
    if (failures[0] !== undefined) throw failures[0];
    const [target] = found;
    if (target === undefined || target.info.resource !== 'pods') throw plainError('kubectl debug is simulated for pods alone');
    if (parsed.has('target')) out.stdout += `Targeting container "${parsed.text('target') ?? ''}". If you don't see processes from this container it may be because the container runtime doesn't support this feature.\n`;
    const name = parsed.text('container') ?? `debugger-${[...Array(5).keys()].map((index) => letters[fnv32a(`${target.object.metadata.uid}/${place.client.epochMs}/${index}`) % letters.length]).join('')}`;
    if (!parsed.has('container') && !parsed.bool('quiet')) out.stdout += `Defaulting debug container name to ${name}.\n`;
    const command = [...rest, ...parsed.command];
    // Upstream changes every container of that name, one that is there already too.
    const again = (target.object as Pod).spec.ephemeralContainers?.some((container) => container.name === name) === true;
    const securityContext = again && profile === ptrace ? { capabilities: { add: ['SYS_PTRACE', 'SYS_PTRACE'] } } : profile;
    const container = {
      name, image, terminationMessagePolicy: 'File', ...(Object.keys(securityContext).length === 0 ? {} : { securityContext }), ...(command.length === 0 ? {} : parsed.bool('arguments-only') ? { args: command } : { command }), ...(parsed.bool('stdin') ? { stdin: true } : {}), ...(parsed.bool('tty') ? { tty: true } : {}),
      ...(parsed.has('target') ? { targetContainerName: parsed.text('target') } : {}),
    };
    const response = ask(place.client, 'PATCH', pathOf(resourceInfo('pods'), place.namespace, target.name, 'ephemeralcontainers'), {
      body: { spec: { ephemeralContainers: [container] } }, contentType: 'application/strategic-merge-patch+json',
    });
    if (isFailure(response)) throw statusError(response);
  },
};
