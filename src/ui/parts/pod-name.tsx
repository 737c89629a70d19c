import { splitName } from '../model/format.ts';
import styles from './parts.module.css';

/** A pod's name; where it is too long, it is cut before the suffix that tells siblings apart. The whole name is its hint. */
export function PodName({ name }: { name: string }) {
  const [head, tail] = splitName(name);
  return <span className={styles.podName} title={name}><span>{head}</span>{tail}</span>;
}
