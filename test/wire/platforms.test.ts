import { describeTranscripts } from './play-transcripts.ts';
import { platformVariants } from './variants.ts';

for (const variant of platformVariants) describeTranscripts(variant);
