import { describeTranscripts } from './play-transcripts.ts';
import { mongoVariants } from './variants.ts';

for (const variant of mongoVariants) describeTranscripts(variant);
