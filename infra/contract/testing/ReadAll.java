import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads each record into the class of its schema and writes it again. */
public class ReadAll {
  public static void main(String[] args) throws Exception {
    ObjectMapper mapper =
        new ObjectMapper()
            .registerModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .setAnnotationIntrospector(new ByTheClassItself());
    boolean failed = false;
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      File file = new File(line.substring(line.indexOf(' ') + 1));
      try {
        Object record = mapper.readValue(file, Class.forName(nameOf(line.substring(0, line.indexOf(' ')))));
        mapper.writeValue(new File(args[1], file.getName()), record);
      } catch (Exception error) {
        failed = true;
        System.out.println(file + ": " + error.getMessage());
      }
    }
    System.exit(failed ? 1 : 0);
  }

  /** The name that Modelina gives to the schema `order-event.v1`. */
  private static String nameOf(String schema) {
    StringBuilder name = new StringBuilder("records.");
    for (String word : schema.replace("-", " Minus ").replace(".", " Dot ").split(" ")) {
      name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return name.toString();
  }

  /**
   * Modelina makes an interface of the records of a topic, by whose fields Jackson would look for the class even where
   * the class is given. Commands of a topic may have the same fields.
   */
  private static class ByTheClassItself extends JacksonAnnotationIntrospector {
    @Override
    public TypeResolverBuilder<?> findTypeResolver(MapperConfig<?> config, AnnotatedClass type, JavaType base) {
      return type.getRawType().isInterface() ? super.findTypeResolver(config, type, base) : null;
    }
  }
}
