#!/bin/sh
# Compiles Work.java with the Java compiler of Eclipse, a large program itself, and runs it. In: arguments for Work.
set -eu
java="java -Xmx256m -XX:+UseParallelGC"
$java -cp /usr/share/java/eclipse-jdt-core.jar \
	org.eclipse.jdt.internal.compiler.batch.Main -17 -proc:none -d /tmp/classes /programs/Work.java
exec $java -cp /tmp/classes Work "$@"
