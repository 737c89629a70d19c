import { apiVersionOf, resourceInfo, type ApiObject } from '../../api/resources.ts';
import { isQuantity } from '../../api/quantity.ts';
import { plainError } from '../failure.ts';
import { flag, parseArguments, type ParsedArguments } from '../flags.ts';
import type { Command } from '../registry.ts';
import { choiceFlags } from '../report.ts';
import { changeEach, createObject } from '../write.ts';

/** kubectl autoscale. Upstream: k8s.io/kubectl/pkg/cmd/autoscale. */
export const autoscale: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, {
      ...choiceFlags, min: flag.int32(), max: flag.int32(), 'cpu-percent': flag.int32(), cpu: flag.text(), memory: flag.text(), name: flag.text(), 'save-config': flag.bool(),
    }, 'kubectl autoscale');
    const [min = -1, max] = [parsed.int('min'), parsed.int('max')];
    if (parsed.has('cpu-percent')) out.stderr += "Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).\n";
    if (max === undefined) throw plainError('required flag(s) "max" not set');
    if (max < 1) throw plainError(`--max=MAXPODS is required and must be at least 1, max: ${max}`);
    if (max < min) throw plainError(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`);
    if (parsed.has('cpu-percent') && parsed.has('cpu')) throw plainError('--cpu-percent and --cpu are mutually exclusive');
    const metrics = metricsOf(parsed);
    changeEach(parsed.words, parsed, environment, out, 'kubectl-autoscale', {}, ({ info, name, namespace }, change, report) => {
      if (!info.subresources.includes('scale')) throw plainError(`cannot autoscale a ${info.kind}: could not find scale subresource for ${info.group}/${info.version}, Resource=${info.plural} in discovery information`);
      const target = resourceInfo('horizontalpodautoscalers.autoscaling');
      const object = {
        apiVersion: 'autoscaling/v2', kind: target.kind, metadata: { name: parsed.text('name') ?? name, ...(parsed.has('namespace') ? { namespace } : {}) },
        spec: { maxReplicas: max, ...(min > 0 ? { minReplicas: min } : {}), ...(metrics.length > 0 ? { metrics } : {}), scaleTargetRef: { apiVersion: apiVersionOf(info), kind: info.kind, name } },
        status: { currentMetrics: null, desiredReplicas: 0 },
      };
      report(target, createObject(change, target, namespace, object as unknown as ApiObject), 'autoscaled');
    });
  },
};

function metricsOf(parsed: ParsedArguments): unknown[] {
  const percent = parsed.int('cpu-percent') ?? -1;
  const metric = (name: string, given: string | undefined, unit: string) => {
    if (given === undefined) return [];
    const share = /^(\d+)%$/.exec(given);
    if (given.endsWith('%') && share === null) throw plainError(`invalid percentage value: ${given.slice(0, -1)}`);
    const quantity = /^\d+(\.\d+)?$/.test(given) ? `${given}${unit}` : given;
    if (share === null && !isQuantity(quantity)) throw plainError(`invalid resource ${name} value: ${given}`);
    const target = share === null ? { type: 'AverageValue', averageValue: quantity } : { type: 'Utilization', averageUtilization: Number(share[1]) };
    return [{ type: 'Resource', resource: { name, target } }];
  };
  return [...metric('cpu', percent >= 0 ? `${percent}%` : parsed.text('cpu'), 'm'), ...metric('memory', parsed.text('memory'), 'Mi')];
}
